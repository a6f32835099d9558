package main

import (
	"google.golang.org/adk/agent"
	"google.golang.org/adk/agent/llmagent"
	"google.golang.org/adk/tool"
)

// toolContext is what a tool is run with: it has other names in other versions.
type toolContext = tool.Context

// delegating is a coordinator in chat mode that delegates to a specialist in task mode, which this version has not.
func delegating(_, _ llmagent.Config) (agent.Agent, error) { return nil, errUnsupported }
