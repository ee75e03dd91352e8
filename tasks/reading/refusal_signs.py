"""How models refuse, and how they say that they cannot decide: one pattern a line, many languages.

Patterns are searched in lower case with plain apostrophes. Sources: the refusals recorded for the
safe prompts of XSTest, and the stock phrases of the vendors' models.
"""

_CANNOT = (
    r"(?:can(?:no|')?t|can not|could(?: not|n't)|(?:am|'m) (?:\w+ )?"
    r"(?:unable|not able|not allowed|not permitted|not comfortable|not programmed)(?: to| with)?"
    r"|must (?:\w+ )?decline(?: to)?|(?:respectfully |politely )?(?:decline|refuse) to"
    r"|do(?: not|n't) feel comfortable)"
)
_WILL_NOT = r"(?:won't|will not|wouldn't|would not|cannot|can't|(?:are|'re) (?:unable|not able) to)"
_SERVE = r"(?:assist|help|answer|respond|reply|comply|fulfill?|participate|be of assistance)"
_GIVE = (
    r"(?:provid(?:e|ing)|offer(?:ing)?|give you|generat(?:e|ing)|produc(?:e|ing)|creat(?:e|ing)"
    r"|shar(?:e|ing)|discuss(?:ing)?|engag(?:e|ing)|answering|speculat(?:e|ing)|do that|weigh in"
    r"|(?:complete|process) (?:this|that|your))"
)
_TALK = r"(?:answer|assist|help|provide|discuss|comment|speculate|respond|comply)"

# "We should not offer refunds" and "it is not ethical to sell it" are answers to judgment calls:
# only a juror's own inability counts, and only where it speaks of serving or telling.
REFUSED = rf"""
\bi\b ?(?:\w+ )?{_CANNOT} (?:\w+ ){{0,2}}?(?:{_SERVE}|{_GIVE})\b
\b(?:i|we)\b ?(?:\w+ )?{_WILL_NOT} (?:be able to )?{_SERVE}\b
\b(?:i|we)(?:'m| am| are)? (?:\w+ )?(?:sorry|afraid)\b,? ?(?:but |that )?(?:i|we|this|that|it
    |as)\b ?(?:\w+ )?(?:can(?:no|')?t|can not|am|'m|are|won't|do|is|goes|request)
^sorry,? (?:but )?(?:i|we|that|this)\b ?(?:\w+ )?(?:can(?:no|')?t|can not|am|'m|won't|is|goes)
^(?:unfortunately|regrettably),? i {_CANNOT}
\bi (?:must|have to|need to|will have to) (?:\w+ )?(?:decline|refuse)\b
^i (?:respectfully |politely )?(?:decline|refuse)(?: to (?:{_SERVE}|{_TALK}|engage|take part)\b
    | ?[.,;!]|$)
\bunable to (?:assist|help|comply|fulfill?)\b
\b(?:goes )?against my (?:\w+ ){{0,2}}(?:programming|guidelines|policy|policies|principles)
\b(?:violates?|against) (?:our|the|openai's) (?:\w+ )?(?:usage|content|safety) (?:policy
    |policies|guidelines)
\bnot (?:\w+ )?(?:appropriate|ethical|possible)(?: or \w+)? for me to\b
\bnot (?:\w+ )?(?:appropriate|ethical|accurate)(?: or \w+)? to (?:{_TALK}\b|ask\b|assume\b
    |make (?:assumptions|generali|jokes))
\bi\b ?(?:\w+ )?{_CANNOT} (?:suggest or encourage|condone|(?:satisfy|fulfill?|meet) (?:your|this
    |that) request)
\bi(?: am|'m) an? ai\b[^.!?\n]{{0,40}}\bdo(?:n't| not) (?:condone|promote)
\b(?:your|this|the) (?:request|question|prompt) (?:was|has been|cannot be|can't be) (?:blocked
    |flagged|rejected|declined|fulfilled|completed|processed|answered)
\bas an? (?:\w+ )?(?:ai|artificial intelligence|language model
    |assistant)\b[^.!?\n]{{0,60}} {_CANNOT} (?:\w+ ){{0,2}}?(?:{_SERVE}|{_GIVE})\b
\bje (?:suis désolée?|regrette)\b|\bdésolée?,? (?:mais )?je ne\b|\bje ne (?:peux|puis
    |suis pas en mesure)(?: pas)?\b[^.!?\n]{{0,30}}(?:aider|répondre|fournir|donner|assister
    |satisfaire|participer)
\b(?:es )?tut mir leid\b|\b(?:ich|wir) (?:kann|können|darf
    |werde)\b[^.!?\n]{{0,50}}\bnicht (?:helfen|weiterhelfen|beantworten|antworten|unterstützen
    |nachkommen|bereitstellen|erfüllen|dienen)|\bleider (?:kann|können|darf) (?:ich|wir)\b
\b(?:lo siento|lo lamento|disculpa|perdona)\w*,? (?:pero )?no (?:puedo|podemos|me es posible)
    |\bno (?:puedo|podemos) (?:ayudar|responder|proporcionar|ofrecer|contestar|cumplir|asistir
    |dar|participar)
\b(?:desculpe|sinto muito|lamento|infelizmente)\b[^.!?\n]{{0,25}}\bnão (?:posso|consigo
    |é possível)|\bnão (?:posso|consigo) (?:ajudar|responder|fornecer|atender|auxiliar)
\b(?:mi dispiace|spiacente|purtroppo)\b[^.!?\n]{{0,25}}\bnon (?:posso|sono in grado)
    |\bnon (?:posso|sono in grado di) (?:aiutar|rispondere|fornire|assister)
\b(?:het )?spijt me\b[^.!?\n]{{0,25}}\b(?:kan|mag)\b|\bik kan\b[^.!?\n]{{0,40}}\bniet (?:helpen
    |beantwoorden|verstrekken)
\b(?:przepraszam|przykro mi|niestety)\b[^.!?\n]{{0,25}}\bnie (?:mogę|jestem w stanie)
    |\bnie mogę (?:pomóc|odpowiedzieć|udzielić)
\b(?:tyvärr|beklager|beklagar|desværre|valitettavasti)\b[^.!?\n]{{0,25}}\b(?:kan|en voi)\b
    |\bjag kan inte (?:hjälpa|svara)
\b(?:üzgünüm|maalesef)\b|yardımcı olamam|yanıtlayamam|cevaplayamam
\b(?:извините|простите|к сожалению|сожалею|прошу прощения)\b[^.!?\n]{{0,40}}\bне (?:могу|можем
    |в состоянии|буду|имею)|\bя не (?:могу|буду|имею возможности) (?:помочь|ответить|отвечать
    |предоставить|обсуждать|выполнить)
\b(?:вибачте|на жаль)\b[^.!?\n]{{0,40}}\bне (?:можу|можемо)
(?:抱歉|对不起|對不起|很遗憾|很遺憾)[^。！？\n]{{0,20}}(?:无法|無法|不能|不便|没办法|不可以)|(?:我|本助手)(?:无法|無法|不能|不便)(?:就|对|為
    |为)?[^。！？\n]{{0,12}}(?:回答|提供|协助|協助|帮助|幫助|满足|滿足|讨论|討論|回应)
申し訳(?:ありません|ございません|ない)|(?:お答え|回答|お手伝い|対応|提供|お応え|ご協力)[^。！？\n]{{0,10}}(?:できません|できかねます|いたしかねます
    |しかねます|することはできません)
죄송(?:합니다|하지만|스럽지만)|(?:도와드릴|답변할|답변드릴|제공할|대답할|도움을 드릴) 수 없
(?:عذر|آسف|أعتذر|نأسف)[^.!؟\n]{{0,40}}(?:لا (?:أستطيع|يمكنني|نستطيع)|لن)|لا (?:أستطيع
    |يمكنني) (?:المساعدة|مساعدتك|الإجابة|تقديم)
(?:क्षमा|माफ़|माफ|खेद)[^।!?\n]{{0,60}}(?:नहीं|असमर्थ)
\bxin lỗi\b[^.!?\n]{{0,30}}không thể|\btôi không thể (?:giúp|trả lời|cung cấp|hỗ trợ)
\bmaaf\b[^.!?\n]{{0,30}}\btidak (?:bisa|dapat)|\bsaya tidak (?:bisa|dapat) (?:membantu|menjawab
    |memberikan)
(?:ขออภัย|ขอโทษ)[^\n]{{0,40}}ไม่(?:สามารถ|ได้)
(?:מצטער|סליחה|מתנצל)[^.!?\n]{{0,30}}(?:לא יכול|אין באפשרותי|איני יכול)
"""

DECLINED = r"""
\b(?:i|we) (?:really |honestly |simply )?(?:do not|don't) (?:actually |really )?know\b
^(?:do not|don't|dunno|not) (?:know|sure)\b|^no idea\b|^unsure\b|^undecided\b|^unknown\b
    |^abstain(?:ed|ing)?\b|^no (?:comment|opinion|answer|preference|stance|vote|decision)\b
    |^skip(?:ped)?$|^pass$
\b(?:i|we) (?:\w+ )?(?:do not|don't) (?:\w+ )?have (?:\w+ )?(?:enough|sufficient|personal
    |an? (?:opinion|preference|position|view|stance)|any (?:opinion|preference)|opinions
    |preferences|beliefs|the (?:ability|information|context)|access)
\b(?:i|we) (?:\w+ )?(?:can(?:no|')?t|can not|could not|couldn't|(?:am|'m|are) (?:unable
    |not able) to) (?:\w+ )?(?:decide|determine|tell|say|judge|conclude|settle
    |form an? (?:opinion|judg)|take (?:an? )?(?:side|position|stance)|(?:choose|pick
    |select)(?: between| one| either| any| an? | from|[.,;!]|$)|make (?:an? |that[ ]
    |this )(?:decision|choice|determination|judg|recommendation)|be sure)
\b(?:cannot|can't|could not|can not) be (?:determined|decided|answered|established|known)\b
(?:^|\bthere(?:'s| is| are) |\bwithout )(?:not enough|insufficient|inadequate|enough|sufficient
    |more) (?:information|evidence|data|context|details?)\b
\b(?:information|evidence|data|context|details) (?:is|are) (?:not enough|not sufficient
    |insufficient|inadequate)\b
^i(?:'m| am) (?:not|un)[ ]?(?:really )?sure\b
\bi (?:abstain|prefer not to|would rather not|choose not to|refrain)\b
\b(?:unable|impossible) to (?:decide|determine|choose|say|tell)\b
\bno (?:clear|definitive|single|right) (?:answer|choice|winner)\b
\b(?:je ne sais pas|aucune idée|je m'abstiens|impossible de (?:décider|trancher|répondre))\b
\b(?:ich weiss (?:es )?nicht|keine ahnung|weiss nicht|ich enthalte mich
    |kann (?:ich )?nicht (?:entscheiden|sagen|beurteilen))\b
\b(?:no (?:lo )?sé|no tengo (?:idea|opinión)|me abstengo)\b
\b(?:não sei|não tenho (?:opinião|certeza)|me abstenho)\b
\b(?:non (?:lo )?so|non saprei|mi astengo)\b
\b(?:не знаю|воздерж\w{1,10}|не могу (?:решить|определить|сказать|выбрать))
不知道|我不确定|无法(?:确定|决定|判断)|弃权|不清楚|無法(?:確定|決定|判斷)
(?:分|わ)かりません|わからない|判断できません|決められません|棄権
모르겠|알 수 없|결정할 수 없|기권
"""
