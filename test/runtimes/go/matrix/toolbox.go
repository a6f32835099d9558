package matrix

import "sync"

// Run is one run of a tool.
type Run struct {
	Name string         `json:"name"`
	Args map[string]any `json:"args"`
	ID   string         `json:"id,omitempty"`
}

// Toolbox is the tools of a scenario at work: they answer as recorded, and each run of one is written down.
type Toolbox struct {
	mutex sync.Mutex
	tools map[string]Tool
	count map[string]int
	runs  []Run
}

// NewToolbox holds these tools.
func NewToolbox(tools []Tool) *Toolbox {
	box := &Toolbox{tools: map[string]Tool{}, count: map[string]int{}, runs: []Run{}}
	for _, tool := range tools {
		box.tools[tool.Name] = tool
	}
	return box
}

// Run runs a tool: its nth run returns the nth of its results, then the last.
func (b *Toolbox) Run(name string, args map[string]any, id string) map[string]any {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	tool, known := b.tools[name]
	if !known {
		return map[string]any{"error": "There is no function " + name + "."}
	}
	if args == nil {
		args = map[string]any{}
	}
	b.runs = append(b.runs, Run{name, args, id})
	b.count[name]++
	if len(tool.Results) == 0 {
		return map[string]any{"ok": true}
	}
	return tool.Results[min(b.count[name], len(tool.Results))-1]
}
