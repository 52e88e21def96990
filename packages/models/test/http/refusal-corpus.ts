// Errors in the exact words and JSON of the servers that send them. Some refuse an unsupported part
// of a request. Others report other mistakes.

/** A refusal, and the part of the request that it names. */
export interface CorpusRefusal {
  readonly who: string;
  readonly about:
    | "tool_choice"
    | "stop"
    | "stream_options"
    | "response_format"
    | "temperature"
    | "max_tokens"
    | "max_completion_tokens"
    | "seed"
    | "parallel_tool_calls"
    | "reasoning_effort"
    | "system"
    | "image"
    | "strict"
    | "top_p";
  readonly status: number;
  readonly body: unknown;
}

type Row = readonly [who: string, about: CorpusRefusal["about"], status: number, body: unknown];

const openAi = (message: string, param: string | null = null, code: string | null = null): unknown => ({
  error: { message, type: "invalid_request_error", param, code },
});
const plain = (message: string): unknown => ({ error: { message, type: "invalid_request_error" } });
const pydantic = (loc: readonly (string | number)[], type: string, msg: string, input: unknown): unknown => ({
  detail: [{ type, loc, msg, input }],
});
/**
 * The fields of a request. Pydantic repeats them in its errors, so the adapter must not take them
 * for an error message.
 */
const echo = { stop: ["x"], temperature: 1, tool_choice: "required", seed: 1, stream_options: {} };

const rows: readonly Row[] = [
  ["Codex proxy", "response_format", 400, { detail: "Unsupported parameter: response_format" }],
  [
    "LiteLLM of Together",
    "response_format",
    400,
    plain(
      "litellm.UnsupportedParamsError: together_ai does not support parameters: ['response_format'], for model=m. To drop these, set `litellm.drop_params=True` or for proxy:\n\n`litellm_settings:\n drop_params: true`",
    ),
  ],
  [
    "LiteLLM of Together, a dict",
    "response_format",
    400,
    plain(
      "litellm.UnsupportedParamsError: together_ai does not support parameters: {'response_format': {'type': 'json_schema'}}, for model=m. To drop these, set `litellm.drop_params=True`",
    ),
  ],
  [
    "Azure",
    "response_format",
    400,
    openAi(
      "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model. Learn more about supported models at the Structured Outputs guide",
      "response_format",
    ),
  ],
  [
    "LiteLLM of OpenAI",
    "stop",
    400,
    plain("litellm.BadRequestError: OpenAIException - Unsupported parameter: 'stop' is not supported with this model."),
  ],
  ["Azure, older", "parallel_tool_calls", 400, openAi("Unrecognized request argument supplied: parallel_tool_calls")],
  [
    "Mistral",
    "stream_options",
    422,
    {
      object: "error",
      message: {
        detail: [
          {
            type: "extra_forbidden",
            loc: ["body", "stream_options"],
            msg: "Extra inputs are not permitted",
            input: { include_usage: true },
          },
        ],
      },
      type: "invalid_request_error",
      code: "3001",
    },
  ],
  [
    "Mistral, as text",
    "parallel_tool_calls",
    422,
    '{"object":"Error","detail":[{"type":"extra_forbidden","loc":["body","parallel_tool_calls"],"msg":"Extra inputs are not permitted","input":false}]}',
  ],
  [
    "vLLM",
    "tool_choice",
    400,
    {
      object: "error",
      message: '"required" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      type: "BadRequestError",
      param: null,
      code: 400,
    },
  ],
  [
    "vLLM, by grammar",
    "response_format",
    400,
    {
      object: "error",
      message: "The provided response_format json_schema is not supported: guided decoding is disabled on this server",
      type: "BadRequestError",
      code: 400,
    },
  ],
  [
    "SGLang",
    "tool_choice",
    400,
    {
      object: "error",
      message: "Tool choice 'required' is not supported without a tool call parser; set --tool-call-parser",
      type: "BadRequestError",
      code: 400,
    },
  ],
  [
    "Moonshot",
    "tool_choice",
    400,
    plain("Invalid request: tool_choice 'required' is not supported, only 'none', 'auto' and 'null' are supported"),
  ],
  ["Moonshot, thinking", "tool_choice", 400, plain("tool_choice 'specified' is incompatible with thinking enabled")],
  [
    "DashScope",
    "tool_choice",
    400,
    plain(
      "<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode",
    ),
  ],
  [
    "DashScope, stop",
    "stop",
    400,
    { code: "InvalidParameter", message: "parameter.stop is not supported by this model", request_id: "r" },
  ],
  [
    "Zhipu",
    "tool_choice",
    400,
    { error: { code: "1210", message: "API 调用参数有误: tool_choice only supports auto" } },
  ],
  ["MiniMax", "tool_choice", 400, plain("invalid params, tool_choice only supports none and auto (2013)")],
  [
    "Perplexity",
    "tool_choice",
    400,
    { error: { message: "Tool choice is not supported for this model", type: "invalid_request", code: 400 } },
  ],
  [
    "xAI",
    "reasoning_effort",
    400,
    { code: "Client specified an invalid argument", error: "Model grok-4 does not support parameter reasoningEffort." },
  ],
  [
    "xAI, stop",
    "stop",
    400,
    { code: "Client specified an invalid argument", error: "Argument not supported on this model: stop" },
  ],
  [
    "Gemini",
    "parallel_tool_calls",
    400,
    [
      {
        error: {
          code: 400,
          message: 'Invalid JSON payload received. Unknown name "parallel_tool_calls": Cannot find field.',
          status: "INVALID_ARGUMENT",
        },
      },
    ],
  ],
  [
    "Gemini, seed",
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
    "Bedrock",
    "temperature",
    400,
    {
      message:
        "The model returned the following errors: `temperature` and `top_p` cannot both be specified for this model. Please use only one.",
    },
  ],
  [
    "Bedrock, stop",
    "stop",
    400,
    { message: "The model returned the following errors: stopSequences is not supported by this model" },
  ],
  [
    "Cohere",
    "parallel_tool_calls",
    422,
    { id: "x", message: "unknown field: parameter 'parallel_tool_calls' is not a valid field" },
  ],
  [
    "Cerebras",
    "seed",
    400,
    {
      message: "seed is not supported for this model",
      type: "invalid_request_error",
      param: "seed",
      code: "wrong_api_format",
    },
  ],
  [
    "Cerebras, mixed",
    "response_format",
    400,
    {
      message: "Tools and response_format cannot be used together",
      type: "invalid_request_error",
      param: "response_format",
      code: "wrong_api_format",
    },
  ],
  ["Groq", "response_format", 400, plain("json mode cannot be combined with tool/function calling")],
  [
    "Groq, schema",
    "response_format",
    400,
    plain(
      "This model does not support response format `json_schema`. See supported models at https://console.groq.com/docs/structured-outputs#supported-models",
    ),
  ],
  [
    "Groq, effort",
    "reasoning_effort",
    400,
    {
      error: {
        message: "`reasoning_effort` must be one of `none` or `default`",
        type: "invalid_request_error",
        param: "reasoning_effort",
      },
    },
  ],
  [
    "Fireworks",
    "response_format",
    400,
    plain("JSON Schema response_format is not supported together with tools for this model"),
  ],
  [
    "Nvidia NIM",
    "parallel_tool_calls",
    400,
    {
      type: "urn:kserve:problem-details:bad-request",
      title: "Bad Request",
      status: 400,
      detail:
        "[{'type': 'extra_forbidden', 'loc': ('body', 'parallel_tool_calls'), 'msg': 'Extra inputs are not permitted', 'input': False}]",
    },
  ],
  [
    "Hugging Face TGI",
    "tool_choice",
    422,
    { error: "Input validation error: tool_choice `required` is not supported", error_type: "validation" },
  ],
  [
    "Hugging Face TGI, serde",
    "stream_options",
    422,
    "Failed to deserialize the JSON body into the target type: stream_options: unknown field `include_usage` at line 1 column 99",
  ],
  ["LM Studio", "response_format", 400, { error: "'response_format.type' must be 'json_schema' or 'text'" }],
  [
    "LM Studio, tool choice",
    "tool_choice",
    400,
    { error: "Invalid tool_choice type: 'object'. Supported string values: none, auto" },
  ],
  [
    "llama.cpp",
    "tool_choice",
    500,
    { error: { code: 500, message: "tool_choice param requires --jinja flag", type: "server_error" } },
  ],
  [
    "llama.cpp, image",
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
    "Ollama, image",
    "image",
    400,
    { error: { message: "this model is missing data required for image input", type: "api_error" } },
  ],
  ["Together, image", "image", 400, plain("Input validation error: this model does not accept image_url content")],
  [
    "DeepSeek, image",
    "image",
    400,
    plain(
      "Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text` at line 1 column 240",
    ),
  ],
  [
    "Gemma on Google",
    "system",
    400,
    [
      {
        error: {
          code: 400,
          message: "Developer instruction is not enabled for models/gemma-3-27b-it",
          status: "INVALID_ARGUMENT",
        },
      },
    ],
  ],
  [
    "Gemma on vLLM",
    "system",
    400,
    { object: "error", message: "System role not supported", type: "BadRequestError", code: 400 },
  ],
  [
    "a template",
    "system",
    500,
    { error: { code: 500, message: "Jinja Exception: System role not supported", type: "server_error" } },
  ],
  [
    "OpenAI o1-mini",
    "system",
    400,
    openAi(
      "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
      "messages[0].role",
      "unsupported_value",
    ),
  ],
  ["Databricks", "strict", 400, { error_code: "BAD_REQUEST", message: 'Bad request: json: unknown field "strict"' }],
  ["Snowflake", "strict", 400, { message: "tools[0].function.strict: extra fields not permitted", code: "390142" }],
  [
    "OpenRouter",
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
    "OpenRouter, raw",
    "temperature",
    400,
    {
      error: {
        message: "Provider returned error",
        code: 400,
        metadata: {
          raw: '{"error":{"message":"`temperature` is deprecated for this model.","type":"invalid_request_error"}}',
          provider_name: "X",
        },
      },
    },
  ],
  [
    "OpenAI",
    "temperature",
    400,
    openAi(
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      "temperature",
      "unsupported_value",
    ),
  ],
  [
    "OpenAI",
    "max_tokens",
    400,
    openAi(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      "max_tokens",
      "unsupported_parameter",
    ),
  ],
  [
    "OpenAI",
    "stop",
    400,
    openAi("Unsupported parameter: 'stop' is not supported with this model.", "stop", "unsupported_parameter"),
  ],
  [
    "OpenAI",
    "parallel_tool_calls",
    400,
    openAi(
      "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
      "parallel_tool_calls",
      "unsupported_parameter",
    ),
  ],
  [
    "OpenAI",
    "parallel_tool_calls",
    400,
    openAi(
      "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.",
      "parallel_tool_calls",
      "invalid_value",
    ),
  ],
  ["OpenAI", "reasoning_effort", 400, openAi("Unrecognized request argument supplied: reasoning_effort", null, null)],
  [
    "OpenAI",
    "reasoning_effort",
    400,
    openAi(
      "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model. Supported values are: 'low', 'medium', and 'high'.",
      "reasoning_effort",
      "unsupported_value",
    ),
  ],
  [
    "OpenAI",
    "response_format",
    400,
    openAi(
      "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model. Learn more about supported models at the Structured Outputs guide.",
      null,
    ),
  ],
  [
    "OpenAI",
    "system",
    400,
    openAi(
      "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
      "messages[0].role",
      "unsupported_value",
    ),
  ],
  [
    "OpenAI",
    "image",
    400,
    openAi("Invalid content type. image_url is only supported by certain models.", "messages.[1].content.[1].type"),
  ],
  [
    "OpenAI",
    "top_p",
    400,
    openAi("Unsupported parameter: 'top_p' is not supported with this model.", "top_p", "unsupported_parameter"),
  ],
  ["Azure", "stream_options", 400, openAi("Unrecognized request argument supplied: stream_options")],
  [
    "Azure",
    "parallel_tool_calls",
    400,
    openAi("Unrecognized request arguments supplied: parallel_tool_calls, user_security_context"),
  ],
  [
    "Azure",
    "response_format",
    400,
    openAi(
      "response_format value as json_schema is enabled only for api versions 2024-08-01-preview and later",
      null,
      "BadRequest",
    ),
  ],
  ["Azure", "max_completion_tokens", 400, openAi("Unrecognized request argument supplied: max_completion_tokens")],
  [
    "Gemini",
    "stream_options",
    400,
    [
      {
        error: {
          code: 400,
          message: 'Invalid JSON payload received. Unknown name "stream_options": Cannot find field.',
          status: "INVALID_ARGUMENT",
          details: [
            {
              "@type": "type.googleapis.com/google.rpc.BadRequest",
              fieldViolations: [
                { description: 'Invalid JSON payload received. Unknown name "stream_options": Cannot find field.' },
              ],
            },
          ],
        },
      },
    ],
  ],
  [
    "Gemini",
    "seed",
    400,
    [
      {
        error: {
          code: 400,
          message: 'Invalid JSON payload received. Unknown name "seed": Cannot find field.',
          status: "INVALID_ARGUMENT",
        },
      },
    ],
  ],
  [
    "Gemini",
    "system",
    400,
    {
      error: {
        code: 400,
        message: "Developer instruction is not enabled for models/gemma-3-27b-it",
        status: "INVALID_ARGUMENT",
      },
    },
  ],
  [
    "Gemini",
    "response_format",
    400,
    { error: { code: 400, message: "JSON mode is not enabled for models/gemma-3-27b-it", status: "INVALID_ARGUMENT" } },
  ],
  [
    "Gemini",
    "tool_choice",
    400,
    {
      error: {
        code: 400,
        message:
          "Function calling config is set without function_declarations. function_calling_config mode ANY is not supported.",
        status: "INVALID_ARGUMENT",
      },
    },
  ],
  ["Groq", "stream_options", 400, plain("property 'stream_options' is unsupported")],
  ["Groq", "seed", 400, plain("property 'seed' is unsupported, did you mean 'user'?")],
  [
    "Groq",
    "response_format",
    400,
    plain(
      "This model does not support response format `json_schema`. See supported models at https://console.groq.com/docs/structured-outputs#supported-models",
    ),
  ],
  ["Groq", "reasoning_effort", 400, plain("`reasoning_effort` is not supported with this model")],
  ["Groq", "reasoning_effort", 400, plain("`reasoning_effort` must be one of `none` or `default`")],
  ["Groq", "parallel_tool_calls", 400, plain("`parallel_tool_calls` is not supported with this model")],
  [
    "Groq",
    "image",
    400,
    plain(
      "'messages.1' : for 'role:user' the following must be satisfied[('messages.1.content' : value must be a string)]",
    ),
  ],
  [
    "Groq",
    "tool_choice",
    400,
    plain(
      "'tool_choice' : one of the following must be satisfied[('tool_choice' : value is not one of the allowed values ['none','auto'])]",
    ),
  ],
  ["Together", "tool_choice", 400, plain("tool_choice is not supported for this model")],
  ["Together", "response_format", 422, plain("This model does not support structured outputs.")],
  [
    "Together",
    "stop",
    422,
    { error: { message: 'unexpected property "stop"', type: "invalid_request_error", param: "stop", code: null } },
  ],
  [
    "Fireworks",
    "stream_options",
    400,
    {
      error: {
        object: "error",
        type: "invalid_request_error",
        message: "Extra inputs are not permitted, field: 'stream_options', value: {'include_usage': True}",
      },
    },
  ],
  [
    "Fireworks",
    "seed",
    400,
    { fault: { faultstring: "x" }, error: { message: "Extra inputs are not permitted, field: 'seed', value: 1" } },
  ],
  [
    "Fireworks",
    "reasoning_effort",
    400,
    plain("Invalid reasoning effort: medium. reasoning_effort is not supported for this model"),
  ],
  ["DeepSeek", "tool_choice", 400, plain("deepseek-reasoner does not support this tool_choice")],
  ["DeepSeek", "response_format", 400, plain("This response_format type is unavailable now")],
  [
    "DeepSeek",
    "response_format",
    422,
    plain(
      "Failed to deserialize the JSON body into the target type: response_format: response_format.type `json_schema` is unavailable now at line 1 column 2345",
    ),
  ],
  [
    "DeepSeek",
    "image",
    400,
    plain(
      "Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text` at line 1 column 219",
    ),
  ],
  [
    "Mistral",
    "stream_options",
    422,
    pydantic(["body", "stream_options"], "extra_forbidden", "Extra inputs are not permitted", { include_usage: true }),
  ],
  [
    "Mistral",
    "max_completion_tokens",
    422,
    pydantic(["body", "max_completion_tokens"], "extra_forbidden", "Extra inputs are not permitted", 64),
  ],
  [
    "Mistral",
    "tool_choice",
    422,
    {
      object: "error",
      message: {
        detail: [
          {
            type: "enum",
            loc: ["body", "tool_choice"],
            msg: "Input should be 'auto', 'none' or 'any'",
            input: "required",
          },
        ],
      },
      type: "invalid_request_error",
      code: null,
    },
  ],
  [
    "Mistral",
    "reasoning_effort",
    400,
    {
      object: "error",
      message: "reasoning_effort is not enabled for this model",
      type: "invalid_request_invalid_args",
      code: "3051",
    },
  ],
  [
    "Mistral",
    "image",
    400,
    { object: "error", message: "Image content is not supported by this model", type: "invalid_request_error" },
  ],
  [
    "xAI",
    "stop",
    400,
    { code: "Client specified an invalid argument", error: "Argument not supported on this model: stop" },
  ],
  [
    "xAI",
    "reasoning_effort",
    400,
    { code: "Client specified an invalid argument", error: "Model grok-4 does not support parameter reasoningEffort." },
  ],
  ["xAI", "stop", 400, { code: "invalid-argument", error: "Model grok-4-0709 does not support parameter stop." }],
  [
    "xAI",
    "image",
    400,
    { code: "Client specified an invalid argument", error: "Image inputs are not supported by this model." },
  ],
  [
    "Cerebras",
    "parallel_tool_calls",
    400,
    {
      message: "parallel_tool_calls is not supported for this model",
      type: "invalid_request_error",
      param: "parallel_tool_calls",
      code: "wrong_api_format",
    },
  ],
  [
    "Cerebras",
    "tool_choice",
    422,
    {
      message: "body.tool_choice: Value error, tool_choice='required' is not supported",
      type: "invalid_request_error",
      param: "validation_error",
      code: "wrong_api_format",
    },
  ],
  [
    "Cerebras",
    "image",
    400,
    { message: "Content type 'image_url' is not supported for this model", type: "invalid_request_error" },
  ],
  [
    "SambaNova",
    "tool_choice",
    400,
    {
      error: {
        code: null,
        message: "tool_choice: only 'auto' is supported",
        param: "tool_choice",
        type: "invalid_request_error",
      },
    },
  ],
  ["SambaNova", "seed", 400, { error: "Unknown field: seed" }],
  [
    "OpenRouter",
    "tool_choice",
    404,
    {
      error: {
        message:
          "No endpoints found that support the provided 'tool_choice' value. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing",
        code: 404,
      },
    },
  ],
  ["OpenRouter", "image", 404, { error: { message: "No endpoints found that support image input", code: 404 } }],
  [
    "OpenRouter",
    "temperature",
    400,
    {
      error: {
        message: "Provider returned error",
        code: 400,
        metadata: {
          raw: '{"error":{"message":"`temperature` is deprecated for this model.","type":"invalid_request_error"}}',
          provider_name: "Anthropic",
        },
      },
    },
  ],
  [
    "OpenRouter",
    "stop",
    400,
    {
      error: {
        message: "Provider returned error",
        code: 400,
        metadata: {
          raw: '{\n  "error": {\n    "message": "Unsupported parameter: \'stop\' is not supported with this model.",\n    "param": "stop"\n  }\n}',
          provider_name: "OpenAI",
        },
      },
    },
  ],
  [
    "vLLM",
    "tool_choice",
    400,
    {
      object: "error",
      message:
        "[{'type': 'value_error', 'loc': ('body', 'tool_choice'), 'msg': 'Value error, Currently only named tools are supported.', 'input': {'stop': ['x']}}]",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
  ],
  [
    "vLLM",
    "stop",
    400,
    {
      object: "error",
      message:
        "[{'type': 'extra_forbidden', 'loc': ('body', 'stop'), 'msg': 'Extra inputs are not permitted', 'input': ['x']}]",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
  ],
  [
    "vLLM",
    "image",
    400,
    {
      object: "error",
      message: "At most 0 image(s) may be provided in one prompt.",
      type: "BadRequestError",
      code: 400,
    },
  ],
  [
    "vLLM",
    "image",
    400,
    {
      error: {
        message: "Qwen/Qwen3-8B is not a multimodal model None",
        type: "BadRequestError",
        param: null,
        code: 400,
      },
    },
  ],
  [
    "vLLM",
    "system",
    400,
    { object: "error", message: "System role not supported", type: "BadRequestError", param: null, code: 400 },
  ],
  [
    "vLLM",
    "system",
    400,
    {
      object: "error",
      message: "Conversation roles must alternate user/assistant/user/assistant/...",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
  ],
  [
    "vLLM",
    "reasoning_effort",
    400,
    {
      error: {
        message:
          "1 validation error for ChatCompletionRequest\nreasoning_effort\n  Extra inputs are not permitted [type=extra_forbidden, input_value='low', input_type=str]",
        type: "BadRequestError",
        code: 400,
      },
    },
  ],
  [
    "llama.cpp",
    "tool_choice",
    500,
    { error: { code: 500, message: "tool_choice param requires --jinja flag", type: "server_error" } },
  ],
  [
    "llama.cpp",
    "response_format",
    400,
    {
      error: {
        code: 400,
        message: 'response_format type must be one of "text" or "json_object", but got: json_schema',
        type: "invalid_request_error",
      },
    },
  ],
  [
    "llama.cpp",
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
  ["LM Studio", "response_format", 400, { error: "'response_format.type' must be 'json_schema' or 'text'" }],
  [
    "LM Studio",
    "tool_choice",
    400,
    { error: "Invalid tool_choice type: 'object'. Supported string values: none, auto, required" },
  ],
  ["LM Studio", "image", 400, { error: "Model does not support images. Please use a model that does." }],
  ["TGI", "tool_choice", 422, { error: "Tool choice must be auto", error_type: "tool_error" }],
  [
    "TGI",
    "stream_options",
    422,
    "Failed to deserialize the JSON body into the target type: unknown field `stream_options`, expected one of `messages`, `model` at line 1 column 300",
  ],
  [
    "TGI",
    "response_format",
    422,
    "Failed to deserialize the JSON body into the target type: response_format: unknown variant `json_schema`, expected one of `json_object`, `regex` at line 1 column 391",
  ],
  [
    "SGLang",
    "tool_choice",
    400,
    {
      object: "error",
      message: "Tool choice 'required' is not supported with the current grammar backend",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
  ],
  [
    "SGLang",
    "response_format",
    400,
    { object: "error", message: "guided decoding is not supported for this model", type: "BadRequestError", code: 400 },
  ],
  [
    "NVIDIA NIM",
    "tool_choice",
    400,
    {
      object: "error",
      message: 'tool_choice="required" is not supported!',
      type: "BadRequestError",
      param: null,
      code: 400,
    },
  ],
  [
    "NVIDIA NIM",
    "stream_options",
    422,
    {
      type: "urn:inference-service:problem-details:bad-request",
      title: "Bad Request",
      status: 400,
      detail: "Inference error: stream_options: Extra inputs are not permitted",
    },
  ],
  ["Cohere", "stop", 422, { message: "invalid request: stop is not a valid field", id: "9c2" }],
  [
    "Cohere",
    "parallel_tool_calls",
    400,
    { message: "unknown field: parameter 'parallel_tool_calls' is not a valid field", id: "9c3" },
  ],
  [
    "HF router",
    "tool_choice",
    400,
    { error: { message: "tool_choice is not supported by this provider", http_status_code: 400 } },
  ],
  [
    "HF router",
    "response_format",
    422,
    { error: ["response_format: json_schema is not supported"], error_type: "validation" },
  ],
  ["Perplexity", "stop", 400, { error: { message: "Unsupported parameter `stop`", type: "bad_request", code: 400 } }],
  [
    "Perplexity",
    "tool_choice",
    400,
    { error: { message: "Tool choice is not supported for this model", type: "unsupported", code: 400 } },
  ],
  ["Moonshot", "temperature", 400, plain("invalid temperature: only 1 is allowed for this model")],
  ["Moonshot", "tool_choice", 400, plain("tool_choice 'required' is incompatible with thinking enabled")],
  [
    "Qwen",
    "tool_choice",
    400,
    openAi(
      "<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode",
    ),
  ],
  [
    "Qwen",
    "response_format",
    400,
    openAi(
      "<400> InternalError.Algo.InvalidParameter: 'response_format' of type 'json_schema' is not supported in thinking mode",
    ),
  ],
  [
    "Zhipu",
    "tool_choice",
    400,
    { error: { code: "1210", message: "API call parameter error: tool_choice only supports auto" } },
  ],
  [
    "Bedrock",
    "temperature",
    400,
    {
      message:
        "The model returned the following errors: temperature and top_p cannot both be specified for this model. Please use only one.",
    },
  ],
  [
    "LiteLLM",
    "seed",
    400,
    plain(
      "litellm.UnsupportedParamsError: anthropic does not support parameters: ['seed'], for model=claude. To drop these, set `litellm.drop_params=True`",
    ),
  ],
  [
    "LiteLLM",
    "temperature",
    400,
    plain(
      'litellm.BadRequestError: OpenAIException - {"error":{"message":"Unsupported value: \'temperature\' does not support 0.2 with this model. Only the default (1) value is supported.","param":"temperature"}}',
    ),
  ],
  [
    "LiteLLM",
    "parallel_tool_calls",
    400,
    plain(
      "litellm.UnsupportedParamsError: bedrock does not support parameters: {'parallel_tool_calls': False}, for model=x",
    ),
  ],
  [
    "Portkey",
    "tool_choice",
    400,
    { status: "failure", message: "toolChoice: value 'any' is not supported by this model" },
  ],
  ["a Go server", "stop", 400, { error: { message: 'json: unknown field "stop"' } }],
  [
    "a Node server",
    "stop",
    400,
    {
      error: {
        issues: [
          { code: "unrecognized_keys", keys: ["stop"], path: [], message: "Unrecognized key(s) in object: 'stop'" },
        ],
        name: "ZodError",
      },
    },
  ],
  [
    "a Node server",
    "tool_choice",
    400,
    {
      errors: [
        { instancePath: "/tool_choice", keyword: "enum", message: "must be equal to one of the allowed values" },
      ],
    },
  ],
  [
    "a server of JSON:API",
    "seed",
    422,
    { errors: [{ title: "Invalid attribute", detail: "is not supported", source: { pointer: "/seed" } }] },
  ],
  ["a page of a gateway", "stop", 400, "Bad request: parameter stop is not supported."],
  [
    "OpenAI of strict",
    "strict",
    400,
    openAi(
      "Unknown parameter: 'response_format.json_schema.strict'.",
      "response_format.json_schema.strict",
      "unknown_parameter",
    ),
  ],
  [
    "a server of strict",
    "strict",
    422,
    pydantic(["body", "tools", 0, "function", "strict"], "extra_forbidden", "Extra inputs are not permitted", true),
  ],
  [
    "OpenAI of a strict schema",
    "strict",
    400,
    openAi(
      "Invalid schema for response_format 'answer': In context=(), 'additionalProperties' is required to be supplied and to be false.",
      "response_format",
    ),
  ],
];

/** Each refusal must lead to a retry without the refused part. */
export const refusals: readonly CorpusRefusal[] = rows.map(([who, about, status, body]) => ({
  who,
  about,
  status,
  body,
}));

/** Each of these errors must reach the user after one request. */
export const complaints: readonly (readonly [what: string, status: number, body: unknown])[] = [
  [
    "a limit that is too large",
    400,
    openAi(
      "max_tokens is too large: 99999. This model supports at most 16384 completion tokens, whereas you provided 99999.",
      "max_tokens",
      "invalid_value",
    ),
  ],
  [
    "a temperature out of range",
    400,
    openAi(
      "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.",
      "temperature",
      "decimal_above_max_value",
    ),
  ],
  ["a temperature out of range, in words", 400, plain("temperature must be between 0 and 1")],
  [
    "a temperature out of pydantic's range",
    422,
    pydantic(["body", "temperature"], "less_than_equal", "Input should be less than or equal to 1.5", 3),
  ],
  [
    "a schema that is not an object",
    400,
    openAi(
      "Invalid schema for response_format 'answer': schema must be a JSON Schema of 'type: \"object\"', got 'type: \"string\"'.",
      "response_format",
    ),
  ],
  [
    "a schema of a tool",
    400,
    openAi(
      "Invalid schema for function 'bus': In context=('properties', 'stop'), 'foo' is not a supported type.",
      "tools[0].function.parameters",
      "invalid_function_parameters",
    ),
  ],
  [
    "a schema of a tool, without its place",
    400,
    plain("Invalid schema for function 'oven': property 'temperature' has an unsupported type"),
  ],
  [
    "a grammar that does not compile",
    400,
    {
      error: {
        code: 400,
        message: 'JSON schema conversion failed:\nUnrecognized schema: {"type":"date","stop":1}',
        type: "invalid_request_error",
      },
    },
  ],
  [
    "a name of a tool",
    400,
    openAi(
      "Invalid 'tools[0].function.name': string does not match pattern '^[a-zA-Z0-9_-]+$'.",
      "tools[0].function.name",
      "invalid_value",
    ),
  ],
  [
    "an unknown model",
    400,
    openAi("The model `stop-1` does not exist or you do not have access to it.", null, "model_not_found"),
  ],
  [
    "an unknown model, of LiteLLM",
    400,
    plain("Invalid model name passed in model=temperature-pro. Call `/v1/models` to view available models"),
  ],
  [
    "a key that is wrong",
    400,
    { error: { code: 400, message: "API key not valid. Please pass a valid API key.", status: "INVALID_ARGUMENT" } },
  ],
  [
    "a prompt that is too long",
    400,
    openAi(
      "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (1000 in the messages, 8000 in the completion). Please reduce max_tokens.",
      "messages",
      "context_length_exceeded",
    ),
  ],
  [
    "an image that cannot be read",
    400,
    openAi("You uploaded an unsupported image. Please make sure your image is valid.", null, "image_parse_error"),
  ],
  [
    "an image that is too large",
    400,
    {
      type: "error",
      error: {
        type: "invalid_request_error",
        message: "messages.1.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes",
      },
    },
  ],
  [
    "an image that was not found",
    400,
    openAi("Error while downloading https://example.com/stop.png.", "url", "invalid_image_url"),
  ],
  [
    "a message that is empty",
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", message: "messages.1: user messages must have non-empty content" },
    },
  ],
  [
    "a message, by pydantic with an echo",
    422,
    {
      detail: [
        {
          type: "missing",
          loc: ["body", "messages", 1, "content"],
          msg: "Field required",
          input: echo,
          ctx: { error: "stop is not supported" },
        },
      ],
    },
  ],
  [
    "a result without its call",
    400,
    openAi(
      "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
      "messages.[2].role",
    ),
  ],
  [
    "a tool that is not among the tools",
    400,
    openAi("Invalid value for 'tool_choice': tool 'look' not found in the provided tools.", "tool_choice"),
  ],
  [
    "a filter",
    400,
    {
      error: {
        message:
          "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
        code: "content_filter",
        param: "prompt",
      },
    },
  ],
  [
    "a balance",
    400,
    {
      error: {
        message: "Your credit balance is too low to access the API. Please stop and purchase credits.",
        type: "invalid_request_error",
      },
    },
  ],
  [
    "a failed call of a tool",
    400,
    {
      error: {
        message: "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
        type: "invalid_request_error",
        code: "tool_use_failed",
        failed_generation: "stop is not supported, `seed` is unknown",
      },
    },
  ],
  ["a region", 400, plain("User location is not supported for the API use.")],
  ["a seed of the wrong type", 422, pydantic(["body", "seed"], "int_parsing", "Input should be a valid integer", "x")],
];
