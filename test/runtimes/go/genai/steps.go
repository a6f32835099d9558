package main

import "google.golang.org/genai/interactions/models/interactions"

// stepParts is a step as parts.
func stepParts(step interactions.Step) []map[string]any {
	parts := []map[string]any{}
	switch {
	case step.ThoughtStep != nil:
		said := ""
		for _, summary := range step.ThoughtStep.Summary {
			if summary.TextContent != nil {
				said += summary.TextContent.Text
			}
		}
		if said != "" || step.ThoughtStep.Signature != nil {
			parts = append(parts, signed(said, step.ThoughtStep.Signature))
		}
	case step.FunctionCallStep != nil:
		made := step.FunctionCallStep
		parts = append(parts, map[string]any{"functionCall": map[string]any{"id": made.ID, "name": made.Name, "args": made.Arguments}})
	case step.ModelOutputStep != nil:
		for _, content := range step.ModelOutputStep.Content {
			if content.TextContent != nil {
				parts = append(parts, map[string]any{"text": content.TextContent.Text})
			}
		}
	}
	return parts
}

// signed is a thought, or the signature of one, which comes alone.
func signed(thought string, signature *string) map[string]any {
	part := map[string]any{"text": thought, "thought": true}
	if signature != nil {
		part["thoughtSignature"] = *signature
	}
	return part
}
