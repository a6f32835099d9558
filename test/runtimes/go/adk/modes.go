package main

import (
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
)

// toolContext is what a tool is run with: it has other names in other versions.
type toolContext = agent.Context

// delegating is a coordinator in chat mode that delegates to a specialist in task mode.
func delegating(coordinator, specialist llmagent.Config) (agent.Agent, error) {
	specialist.Mode = llmagent.ModeTask
	sub, err := llmagent.New(specialist)
	if err != nil {
		return nil, err
	}
	coordinator.Name = "coordinator"
	coordinator.Mode = llmagent.ModeChat
	coordinator.SubAgents = []agent.Agent{sub}
	return llmagent.New(coordinator)
}
