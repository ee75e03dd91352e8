"""How providers, gateways and command-line tools word a failure: one pattern a line.

Patterns are tried at the beginning of a text in lower case. Sources: the error texts of the
OpenAI, Anthropic, Google, Azure, AWS, Mistral and OpenRouter APIs, of vLLM, llama.cpp, Ollama,
LiteLLM and Hermes, and of the proxies that stand before them.
"""

MACHINE = r"""
(?:http(?:/\d(?:\.\d)?)?|status(?: code)?|(?:http )?error(?: code)?
    |code)[ :=#(\[]{1,4}(?:http )?[45]\d\d\b
(?:api|request|server|client|call|unexpected|provider|upstream|received|got|remote
    |non-)[^\n]{0,60}?\b(?:status(?: code)?|http|error(?: code)?)[ :=#(\[]{0,4}[45]\d\d\b
[45]\d\d[ :,.-]{1,4}(?:bad request|unauthori[sz]ed|payment required|forbidden|not found|conflict)
[45]\d\d[ :,.-]{1,4}(?:method not allowed|payload too large|unprocessable|internal server error)
traceback \(most recent call last\)
(?:panic|fatal(?: error)?|error|exception): ?\S
error\](?::| |$)
error (?:from|during|while|calling|in|connecting|communicating|processing|generating
    |code)\b[^\n]{0,80}[:.]
(?:execution|invocation|completion|inference) error(?: ?[:.\n]|$)
(?:provider|server|model|api|upstream) returned (?:an )?error
connect e[a-z]{4,12}\b
an? (?:unexpected |internal |unknown )?error (?:occurred|has occurred|was encountered|happened)
(?:api|internal|internal server|network|connection|stream|provider|model|runtime|system|server
    |llm|agent|unknown|unexpected|upstream|authentication|permission|validation|timeout|request
    |gateway|proxy|parse|rate ?limit) error\b ?(?:[:(\[.!]|$|- )
(?:e(?:conn|not|timed|pipe|acces|noent|ai_)\w{0,12}|errno \d{1,3})\b
api call failed
(?:[\w-]{1,20}(?: -z)?: ?)?agent failed:
(?:curl|ssh|bash|sh|zsh|npm err!|python3?|docker|error response from daemon): ?\S
upstream connect error
no healthy upstream
segmentation fault
"""

PHRASES: dict[str, str] = {
    "rate_limited": r"""
(?:upstream |provider |api )?rate[ _-]?limit(?:s|ed)?(?: was| has been| is)? (?:reached|exceeded
    |hit|error)
rate[ _-]?limit(?:ed\b|[ _-]?error|_exceeded)
[a-z ]{0,20}usage limit reached
too many requests
insufficient[_ ]quota
resource[_ ]exhausted
(?:you(?:'ve|’ve| have)?|your)\b[^\n]{0,40}\b(?:exceeded|reached|hit)\b[^\n]{0,40}\b(?:quota
    |limit)
(?:quota|usage limit|daily limit|request limit|token limit|limit)\b[^\n]{0,30}\b(?:exceeded
    |reached)
throttl(?:ed|ing ?exception)\b
(?:free tier|free-tier|daily) [^\n]{0,30}limit
""",
    "auth": r"""
(?:invalid|incorrect|missing|expired|wrong|no) (?:or missing[ ]
    |or expired )?(?:x-)?(?:api[ _-]?key|auth\w*|credentials?|access token|bearer token|token)\b
(?:unauthori[sz]ed|forbidden|access denied|permission denied|payment required|not authenticated
    |not logged in)(?: ?[.:!·,\n]|$)
authentication (?:failed|required|error)
(?:authentication|permission)_(?:error|denied)
please (?:run /|log ?in|sign ?in)
(?:your )?credit balance is\b
insufficient (?:credits?|balance|funds)
(?:the |your )?api key\b[^\n]{0,40}\b(?:invalid|expired|not valid|missing|disabled|required)
billing (?:hard limit|not active)
your account (?:is not active|has been|was)
""",
    "context_overflow": r"""
th(?:is|e) model'?s? maximum context length
(?:the |your )?(?:prompt|input|request|messages?|conversation) (?:is|are) too (?:long|large)
(?:the )?context (?:window|length|size|limit)\b[^\n]{0,30}\b(?:exceed|overflow|full|too)
context_length_exceeded
(?:the |your )?(?:prompt|input|requested tokens)\b[^\n]{0,60}\bexceeds?\b[^\n]{0,40}\b(?:context
    |tokens?|limit|maximum|window)
request (?:entity )?too large
""",
    "model_not_found": r"""
(?:the |unknown |invalid |no such )?model\b[^\n]{0,80}\b(?:not found|does not exist
    |is not supported|not available|is no longer|has been deprecated)
(?:unknown|no such|invalid) (?:model|provider)\b
no endpoints found
model_not_found
""",
    "timeout": r"""
(?:the |your |upstream |api |provider )?(?:endpoint|request|connection|call|operation|stream
    |read|model|generation|response|server|query)? ?(?:request )?(?:has |was )?timed[ -]out\b
(?:the )?(?:operation|request) was (?:aborted|cancell?ed)\b
(?:context )?deadline exceeded
(?:gateway|request|read|connect|connection) time-?out(?: ?[.:!,\n]|$)
timeout (?:error|exceeded|waiting|after|of \d)
""",
    "unreachable": r"""
connection (?:error|refused|reset|closed|aborted|lost|failed|was (?:closed|reset|lost))\b
(?:could not|couldn't|cannot|can't|unable to|failed to) (?:connect|reach|resolve|establish)\b
network (?:is unreachable|failure)
socket hang up
(?:type ?error: )?fetch failed
getaddrinfo
name or service not known
(?:ssl|tls)\b[^\n]{0,30}\b(?:error|failed|handshake)
certificate verify failed
stream (?:disconnected|closed|interrupted|ended)\b
(?:remote end|server|peer) (?:closed|disconnected)
""",
    "server_error": r"""
internal (?:server )?error\b
bad gateway
service (?:is )?(?:temporarily |currently )?unavailable
server error\b
(?:the |our |this )?(?:server|model|engine|service|api)s? (?:is|are|was) (?:currently[ ]
    |temporarily |still )?(?:overloaded|busy|down(?: ?[.!,\n]|$)|unavailable|loading|at capacity
    |experiencing)
overloaded(?:[ _]error)?(?: ?[.:!,\n]|$)
loading model
overloaded_error\b
cuda (?:error|out of memory)
(?:gpu )?out of memory(?: ?[.:!,\n]|$)
llama runner
failed to (?:load|generate|get|fetch|parse|complete|process|create|call)\b
(?:we're|we are) (?:currently )?experiencing
(?:oops|sorry)?[.!, ]{0,3}something went wrong
please try again (?:later|in)
[\w./-]{1,40}: command not found
[^\n]{0,60}no such file or directory
just a moment\.{3}
(?:upstream|backend|application) (?:error|failure)
""",
    "empty": r"""
no reply:
(?:the )?(?:model|provider|server|assistant|api) returned (?:an? )?(?:empty|no|blank|null)\b
(?:empty|no|blank) (?:response|reply|content|completion|output|message|answer
    |text)\b(?: was)?(?: text| content)? ?(?:from|received|returned|generated|given|available
    |provided|error|[.!)\]]|$)
""",
    "refused": r"""
the model declined
(?:the |this |your )?(?:response|prompt|content|output|input|request|message|completion) (?:was
    |has been|is|were)\b[^\n]{0,20}\b(?:filtered|blocked|flagged|withheld|removed|redacted)
content[_ ](?:filter|removed|blocked|policy violation)
blocked (?:by|due to)\b
""",
    "config": r"""
no (?:inference )?(?:provider|model|api key)s? (?:is |are )?(?:configured|selected|specified|set)
unknown (?:skill|toolset|option|flag)
usage: [\w-]{1,30} [\[<-]
(?:reached )?max(?:imum)? (?:turns|iterations|steps)(?: reached| exceeded)?
bad request
""",
}

CODES: dict[int, str] = {
    400: "bad_request",
    401: "auth",
    402: "auth",
    403: "auth",
    404: "model_not_found",
    408: "timeout",
    413: "context_overflow",
    422: "bad_request",
    429: "rate_limited",
    504: "timeout",
}
"""HTTP statuses and what they mean here; other 4xx are `bad_request`, other 5xx `server_error`."""
