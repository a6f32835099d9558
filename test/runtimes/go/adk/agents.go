package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/google/jsonschema-go/jsonschema"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model/gemini"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/functiontool"
	"google.golang.org/genai"
	"wiretape.invalid/matrix"
)

// errUnsupported is of what this version has not.
var errUnsupported = errors.New("this version of ADK for Go has no modes of agents")

// Tools that the runtime declares by itself where an agent delegates.
var ownTools = map[string]bool{"ga_specialist": true, "finish_task": true, "transfer_to_agent": true}

// agent is the agent that the scenario is acted by, on that model.
func (a *acting) agent(ctx context.Context, name string) (agent.Agent, error) {
	model, err := gemini.NewModel(ctx, name, nil)
	if err != nil {
		return nil, err
	}
	config := llmagent.Config{Name: "agent", Model: model, Instruction: a.scenario.Instruction, GenerateContentConfig: a.settings()}
	for _, declared := range a.scenario.Tools {
		if ownTools[declared.Name] {
			continue
		}
		made, err := a.tool(declared)
		if err != nil {
			return nil, err
		}
		config.Tools = append(config.Tools, made)
	}
	if a.scenario.Agent == "delegating" {
		specialist := llmagent.Config{
			Name:        "ga_specialist",
			Model:       model,
			Description: "Answers questions about web analytics.",
			Instruction: "Answer the request, then finish the task.",
		}
		return delegating(config, specialist)
	}
	return llmagent.New(config)
}

// settings are what the model is asked with, besides the conversation, the instruction and the tools.
func (a *acting) settings() *genai.GenerateContentConfig {
	config := &genai.GenerateContentConfig{}
	if a.scenario.ThinkingSummaries {
		config.ThinkingConfig = &genai.ThinkingConfig{IncludeThoughts: true}
	}
	if a.scenario.StreamArguments {
		calling := &genai.FunctionCallingConfig{StreamFunctionCallArguments: genai.Ptr(true)}
		config.ToolConfig = &genai.ToolConfig{FunctionCallingConfig: calling}
	}
	return config
}

func (a *acting) tool(declared matrix.Tool) (tool.Tool, error) {
	var schema jsonschema.Schema
	if err := json.Unmarshal(declared.Parameters, &schema); err != nil {
		return nil, err
	}
	config := functiontool.Config{Name: declared.Name, Description: declared.Description, InputSchema: &schema}
	return functiontool.New(config, func(ctx toolContext, args map[string]any) (map[string]any, error) {
		return a.box.Run(declared.Name, args, ctx.FunctionCallID()), nil
	})
}
