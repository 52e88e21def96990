// Continues refusal-corpus.ts with the refusals of further servers and gateways.

import type { CorpusRefusal } from "./refusal-corpus.ts";

const rows: readonly (readonly [who: string, about: CorpusRefusal["about"], status: number, body: unknown])[] = [
  [
    "vLLM, tool parser",
    "tool_choice",
    400,
    {
      object: "error",
      message:
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set; tool_choice="required" needs guided decoding, which is off',
      type: "BadRequestError",
      param: null,
      code: 400,
    },
  ],
  [
    "vLLM, required",
    "tool_choice",
    400,
    {
      object: "error",
      message:
        "[{'type': 'value_error', 'loc': ('body',), 'msg': 'Value error, `tool_choice` must either be a named tool, \"auto\", or \"none\".', 'input': {'tool_choice': 'required'}}]",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
  ],
  [
    "vLLM, logits processors",
    "response_format",
    400,
    {
      object: "error",
      message: "Structured outputs are not supported with speculative decoding (response_format)",
      type: "BadRequestError",
      code: 400,
    },
  ],
  [
    "vLLM, chat template",
    "system",
    400,
    {
      object: "error",
      message: "System role not supported by the chat template",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
  ],
  [
    "vLLM, conversation roles",
    "system",
    400,
    {
      object: "error",
      message: "Conversation roles must alternate user/assistant/user/assistant/...",
      type: "BadRequestError",
      code: 400,
    },
  ],
  [
    "vLLM, text model",
    "image",
    400,
    { object: "error", message: "m is not a multimodal model", type: "BadRequestError", code: 400 },
  ],
  [
    "vLLM, limit of images",
    "image",
    400,
    {
      object: "error",
      message: "At most 0 image(s) may be provided in one request.",
      type: "BadRequestError",
      code: 400,
    },
  ],
  [
    "TGI, tools and grammar",
    "response_format",
    422,
    { error: "Input validation error: grammar is not supported", error_type: "validation" },
  ],
  [
    "TGI, grammar and tools",
    "response_format",
    422,
    { error: "Input validation error: Grammar and tools are mutually exclusive", error_type: "validation" },
  ],
  [
    "TGI, stop",
    "stop",
    422,
    "Failed to deserialize the JSON body into the target type: stop: unknown field `stop`, expected one of `model`, `messages` at line 1 column 120",
  ],
  [
    "TGI, variant",
    "tool_choice",
    422,
    "Failed to deserialize the JSON body into the target type: tool_choice: data did not match any variant of untagged enum ToolType at line 1 column 900",
  ],
  [
    "SGLang, tool choice",
    "tool_choice",
    400,
    {
      object: "error",
      message: "Tool choice 'required' is not supported by the configured tool call parser",
      type: "BadRequestError",
      code: 400,
    },
  ],
  [
    "SGLang, grammar backend",
    "response_format",
    400,
    { object: "error", message: "Grammar backend is disabled; response_format json_schema cannot be used", code: 400 },
  ],
  [
    "SGLang, extra",
    "parallel_tool_calls",
    400,
    {
      object: "error",
      message:
        "1 validation error:\n  {'type': 'extra_forbidden', 'loc': ('body', 'parallel_tool_calls'), 'msg': 'Extra inputs are not permitted', 'input': False}",
      type: "Bad Request",
      code: 400,
    },
  ],
  [
    "llama.cpp, jinja",
    "tool_choice",
    500,
    { error: { code: 500, message: "tool_choice param requires --jinja flag", type: "server_error" } },
  ],
  [
    "llama.cpp, grammar with tools",
    "response_format",
    400,
    {
      error: {
        code: 400,
        message: "Cannot use custom grammar constraints with tools: json_schema given",
        type: "invalid_request_error",
      },
    },
  ],
  [
    "llama.cpp, mmproj",
    "image",
    500,
    {
      error: {
        code: 500,
        message: "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
        type: "server_error",
      },
    },
  ],
  [
    "llama.cpp, template",
    "system",
    500,
    { error: { code: 500, message: "Jinja Exception: System role not supported", type: "server_error" } },
  ],
  [
    "LM Studio, response_format",
    "response_format",
    400,
    { error: "'response_format.type' must be 'json_schema' or 'text'" },
  ],
  [
    "LM Studio, tool_choice object",
    "tool_choice",
    400,
    { error: "Invalid tool_choice type: 'string'. Supported string values: none, auto" },
  ],
  ["LM Studio, vision", "image", 400, { error: "Model does not support images. Please use a model that does." }],
  ["LM Studio, stop", "stop", 400, { error: "Unsupported field 'stop' for the loaded engine" }],
  [
    "Together, json schema",
    "response_format",
    400,
    {
      id: "o",
      error: {
        message: "Model m does not support response_format json_schema; see the list of JSON mode models",
        type: "invalid_request_error",
        param: "response_format",
        code: "json_mode_not_supported",
      },
    },
  ],
  [
    "Together, tool_choice",
    "tool_choice",
    422,
    {
      error: {
        message: "Input validation error: tool_choice: 'required' is not one of the allowed options for this model",
        type: "invalid_request_error",
        param: null,
        code: null,
      },
    },
  ],
  [
    "Together, parallel",
    "parallel_tool_calls",
    400,
    {
      error: {
        message: "parallel_tool_calls is not currently supported",
        type: "invalid_request_error",
        param: "parallel_tool_calls",
      },
    },
  ],
  [
    "Fireworks, extra",
    "seed",
    400,
    {
      error: {
        object: "error",
        type: "invalid_request_error",
        message: "Extra inputs are not permitted, field: 'seed', value: 1",
      },
    },
  ],
  [
    "Fireworks, tools with stop",
    "stop",
    400,
    {
      error: {
        message: "stop sequences are not supported together with tools for this model",
        type: "invalid_request_error",
      },
    },
  ],
  [
    "Fireworks, reasoning",
    "reasoning_effort",
    400,
    {
      error: {
        message: "reasoning_effort is not supported for this model; remove it from the request",
        type: "invalid_request_error",
      },
    },
  ],
  [
    "OpenRouter, tool choice",
    "tool_choice",
    404,
    {
      error: {
        message:
          "No endpoints found that support the provided 'tool_choice' value. To learn more about provider routing, visit: https://openrouter.ai/docs",
        code: 404,
      },
    },
  ],
  [
    "OpenRouter, images",
    "image",
    404,
    { error: { message: "No endpoints found that support image input", code: 404 } },
  ],
  [
    "OpenRouter, provider error",
    "temperature",
    400,
    {
      error: {
        message: "Provider returned error",
        code: 400,
        metadata: {
          raw: '{"error":{"message":"Unsupported parameter: \'temperature\' is not supported with this model.","type":"invalid_request_error","param":"temperature","code":"unsupported_parameter"}}',
          provider_name: "Azure",
        },
      },
    },
  ],
  [
    "OpenRouter, raw text",
    "stop",
    400,
    {
      error: {
        message: "Provider returned error",
        code: 400,
        metadata: { raw: "stop is not allowed for reasoning models", provider_name: "xAI" },
      },
    },
  ],
  [
    "Azure, api version",
    "stream_options",
    400,
    {
      error: {
        code: "BadRequest",
        message: "Unrecognized request argument supplied: stream_options",
        param: null,
        type: "invalid_request_error",
      },
    },
  ],
  [
    "Azure, o-series",
    "max_tokens",
    400,
    {
      error: {
        code: "unsupported_parameter",
        message:
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        param: "max_tokens",
        type: "invalid_request_error",
      },
    },
  ],
  [
    "Azure, response format by version",
    "response_format",
    400,
    {
      error: {
        code: "BadRequest",
        message: "response_format value as json_schema is enabled only for api versions 2024-08-01-preview and later",
        param: null,
        type: null,
      },
    },
  ],
  [
    "Azure, parallel",
    "parallel_tool_calls",
    400,
    {
      error: {
        message: "Unknown parameter: 'parallel_tool_calls'.",
        type: "invalid_request_error",
        param: "parallel_tool_calls",
        code: "unknown_parameter",
      },
    },
  ],
  [
    "Bedrock proxy, tool choice",
    "tool_choice",
    400,
    {
      message:
        "This model doesn't support the toolConfig.toolChoice.any field. Remove toolConfig.toolChoice.any and try again.",
    },
  ],
  [
    "Bedrock proxy, stop",
    "stop",
    400,
    { message: "This model doesn't support the stopSequences field. Remove stopSequences and try again." },
  ],
  [
    "Bedrock proxy, system",
    "system",
    400,
    { message: "This model doesn't support the system field. Remove system messages and try again." },
  ],
  [
    "Bedrock proxy, image",
    "image",
    400,
    { message: "This model doesn't support the image content block that you provided." },
  ],
  [
    "Bedrock proxy, both",
    "temperature",
    400,
    {
      message:
        "The model returned the following errors: `temperature` and `top_p` cannot both be specified for this model. Please use only one.",
    },
  ],
  [
    "Bedrock proxy, malformed",
    "top_p",
    400,
    {
      message:
        "Malformed input request: #: extraneous key [top_p] is not permitted, please reformat your input and try again.",
    },
  ],
  [
    "Cohere, tool choice",
    "tool_choice",
    400,
    { message: "invalid request: tool_choice is only supported with command-r7b-12-2024 or newer models", id: "1" },
  ],
  [
    "Cohere, strict",
    "strict",
    400,
    { message: "strict_tools is not supported: remove `strict` from the tool definitions", id: "1" },
  ],
  [
    "Cohere, response format with tools",
    "response_format",
    400,
    { message: "invalid request: response_format is not supported with tools", id: "1" },
  ],
  ["Cohere, unknown", "seed", 422, { message: "unknown field: parameter 'seed' is not a valid field", id: "1" }],
  [
    "xAI, stop",
    "stop",
    400,
    { code: "Client specified an invalid argument", error: "Argument not supported on this model: stop" },
  ],
  [
    "xAI, reasoning",
    "reasoning_effort",
    400,
    { code: "Client specified an invalid argument", error: "Argument not supported on this model: reasoningEffort" },
  ],
  [
    "xAI, image",
    "image",
    400,
    { code: "Client specified an invalid argument", error: "Image inputs are not supported by this model." },
  ],
  [
    "Perplexity, tool choice",
    "tool_choice",
    400,
    {
      error: {
        message: "Tool calling is not supported for this model: tool_choice",
        type: "invalid_request",
        code: 400,
      },
    },
  ],
  [
    "Perplexity, alternate",
    "system",
    400,
    {
      error: {
        message: "Only user and assistant roles are supported; system messages are not accepted",
        type: "invalid_message",
        code: 400,
      },
    },
  ],
  [
    "Perplexity, stop",
    "stop",
    400,
    { error: { message: '["At body -> stop: Extra inputs are not permitted"]', type: "bad_request", code: 400 } },
  ],
  [
    "Cerebras, both",
    "response_format",
    400,
    {
      message: '"tools" is incompatible with "response_format"',
      type: "invalid_request_error",
      param: "response_format",
      code: "wrong_api_format",
    },
  ],
  [
    "Cerebras, parallel",
    "parallel_tool_calls",
    400,
    {
      message: "parallel_tool_calls is not supported for model m",
      type: "invalid_request_error",
      param: "parallel_tool_calls",
      code: "wrong_api_format",
    },
  ],
  [
    "Cerebras, strict",
    "strict",
    400,
    {
      message: "Strict mode is not available for this model; tools.0.function.strict must be false",
      type: "invalid_request_error",
      param: "tools.0.function.strict",
      code: "wrong_api_format",
    },
  ],
  [
    "SambaNova, tool choice",
    "tool_choice",
    400,
    {
      error: { message: "tool_choice=required is currently unsupported for this model", type: "invalid_request_error" },
    },
  ],
  [
    "SambaNova, json",
    "response_format",
    400,
    {
      error: "response_format of type json_schema is not supported for this model",
      error_code: null,
      error_param: "response_format",
    },
  ],
  [
    "SambaNova, seed",
    "seed",
    400,
    { error: { message: 'Unrecognized field "seed" (Class ChatCompletionRequest), not marked as ignorable' } },
  ],
  [
    "Nebius",
    "tool_choice",
    400,
    { detail: "tool_choice 'required' isn't implemented for this model; use 'auto' or 'none'" },
  ],
  [
    "Hyperbolic",
    "stream_options",
    400,
    {
      object: "error",
      message:
        "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted', 'input': {'include_usage': True}}]",
      code: 40001,
    },
  ],
  [
    "DeepInfra",
    "response_format",
    422,
    {
      detail: [
        {
          loc: ["body", "response_format", "type"],
          msg: "unexpected value; permitted: 'text', 'json_object'",
          type: "value_error.const",
          ctx: { given: "json_schema" },
        },
      ],
    },
  ],
  [
    "Novita",
    "parallel_tool_calls",
    400,
    {
      code: 400,
      reason: "INVALID_REQUEST_BODY",
      message: "parallel_tool_calls: this field is not supported by the model",
      metadata: {},
    },
  ],
  ["Baseten", "tool_choice", 400, { error: "Only `auto` is allowed for `tool_choice` with this engine" }],
  [
    "Cloudflare Workers AI",
    "image",
    400,
    {
      errors: [
        {
          message: "AiError: Bad input: Error: oneOf at '/' not met, 0 matches: image_url content is not supported",
          code: 5006,
        },
      ],
      success: false,
    },
  ],
  [
    "Cloudflare, number",
    "seed",
    400,
    {
      errors: [{ message: "AiError: Bad input: seed is not a supported parameter", code: 5006 }],
      success: false,
      result: {},
      messages: [],
    },
  ],
  ["Databricks", "stop", 400, { error_code: "BAD_REQUEST", message: 'Bad request: json: unknown field "stop"\n' }],
  [
    "Databricks, several",
    "parallel_tool_calls",
    400,
    {
      error_code: "INVALID_PARAMETER_VALUE",
      message: "INVALID_PARAMETER_VALUE: parameter parallel_tool_calls is not supported for external model endpoints.",
    },
  ],
  [
    "Snowflake",
    "tool_choice",
    400,
    { message: "tool_choice of type required is not supported for model m", request_id: "r" },
  ],
  [
    "watsonx",
    "reasoning_effort",
    400,
    {
      errors: [
        {
          code: "invalid_request_entity",
          message:
            "Json document validation error: property 'reasoning_effort' is not defined and the schema does not allow additional properties",
        },
      ],
      trace: "t",
      status_code: 400,
    },
  ],
  [
    "Vertex through OpenAI",
    "strict",
    400,
    [
      {
        error: {
          code: 400,
          message: "Invalid JSON payload received. Unknown name \"strict\" at 'tools[0].function': Cannot find field.",
          status: "INVALID_ARGUMENT",
        },
      },
    ],
  ],
  [
    "Gemini through OpenAI",
    "seed",
    400,
    [
      {
        error: {
          code: 400,
          message: 'Invalid JSON payload received. Unknown name "seed": Cannot find field.',
          status: "INVALID_ARGUMENT",
          details: [
            {
              "@type": "type.googleapis.com/google.rpc.BadRequest",
              fieldViolations: [
                { description: 'Invalid JSON payload received. Unknown name "seed": Cannot find field.' },
              ],
            },
          ],
        },
      },
    ],
  ],
  [
    "Moonshot",
    "tool_choice",
    400,
    {
      error: { message: "tool_choice 'required' is incompatible with thinking enabled", type: "invalid_request_error" },
    },
  ],
  [
    "Moonshot, temperature",
    "temperature",
    400,
    { error: { message: "invalid temperature: only 1 is allowed for this model", type: "invalid_request_error" } },
  ],
  [
    "Zhipu",
    "response_format",
    400,
    {
      error: {
        code: "1210",
        message: "API 调用参数有误，请检查文档。response_format.type: json_schema is not supported",
      },
    },
  ],
  [
    "Qwen DashScope",
    "tool_choice",
    400,
    {
      error: {
        code: "invalid_parameter_error",
        param: null,
        message:
          "<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode",
        type: "invalid_request_error",
      },
    },
  ],
  [
    "Qwen DashScope, json",
    "response_format",
    400,
    {
      error: {
        code: "invalid_parameter_error",
        param: null,
        message: "Json mode response is not supported when enable_thinking is true",
        type: "invalid_request_error",
      },
    },
  ],
  [
    "MiniMax",
    "stop",
    400,
    {
      type: "error",
      error: {
        type: "bad_request_error",
        message: "invalid params, stop is not supported by this model (2013)",
        http_code: "400",
      },
    },
  ],
  [
    "Ollama, tools",
    "image",
    400,
    {
      error: {
        message: "this model is missing data required for image input",
        type: "api_error",
        param: null,
        code: null,
      },
    },
  ],
  [
    "Jan",
    "stream_options",
    400,
    { error: { message: "stream_options can not be used with this engine", type: "invalid_request_error" } },
  ],
  [
    "GitHub Models",
    "max_tokens",
    400,
    {
      error: {
        message:
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        type: "invalid_request_error",
        param: "max_tokens",
        code: "unsupported_parameter",
      },
    },
  ],
  [
    "Portkey",
    "temperature",
    400,
    {
      error: {
        message:
          "azure-openai error: Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
        type: "invalid_request_error",
        param: "temperature",
        code: "unsupported_value",
      },
      provider: "azure-openai",
    },
  ],
  [
    "a strict gateway",
    "reasoning_effort",
    422,
    {
      title: "Unprocessable Entity",
      status: 422,
      errors: { reasoning_effort: ["The reasoning_effort field is prohibited."] },
    },
  ],
  [
    "a Spring gateway",
    "top_p",
    400,
    {
      timestamp: "2026-01-01",
      status: 400,
      error: "Bad Request",
      message: 'JSON parse error: Unrecognized field "top_p" (class ChatRequest), not marked as ignorable',
      path: "/v1/chat/completions",
    },
  ],
  ["a Go gateway", "seed", 400, { error: 'json: unknown field "seed"' }],
  [
    "a Rust gateway",
    "parallel_tool_calls",
    422,
    "Failed to deserialize the JSON body into the target type: unknown field `parallel_tool_calls`, expected one of `model`, `messages`, `tools` at line 1 column 77",
  ],
];

/** The refusals that name one part of the request. */
export const refusalsOfServers: readonly CorpusRefusal[] = rows.map(([who, about, status, body]) => ({
  who,
  about,
  status,
  body,
}));
