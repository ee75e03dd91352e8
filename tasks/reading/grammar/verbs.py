"""Verbs of decisions, and ordinary words that are also names of products and places."""

from tasks.reading.grammar.tokens import wordset

ACTIONS = wordset("""
    abandon abolish accept acquire act adopt allow amend announce approve archive ask automate
    ban block boycott build buy cancel centralise centralize change close combine continue
    convert cut decentralise decline defer delay delegate delete deny deploy deprecate disable
    discontinue divest do double drop dual-license enable end enforce enter escalate exclude
    exit expand explain export extend fail fight fire fix forbid fork freeze fund go grant halt
    hire hold ignore implement import include increase insource introduce invest join keep kill
    launch lay lease leave legalise legalize let license limit list lower maintain mandate merge
    migrate modernise modernize monitor move nationalise nationalize negotiate offer open oppose
    outsource own pass patch pause pay pilot pivot port postpone prevent privatise privatize
    proceed prohibit promote publish pull purchase push quit raise rebuild recall redesign
    reduce refactor refund refuse reject relax relocate remain remove renew rent repair repeal
    replace replatform require retain retire return revert rewrite rollback roll sell send
    settle share ship shut sign skip slow split standardise standardize start stay stick stop
    sue support suspend switch take tax test tighten train upgrade use veto vote wait withdraw
    write
""")
"""Base forms. Options that all begin with one of them are acts, not names."""

CHOOSING = wordset("""
    advise advocate avoid back bet bin champion choose condemn discard discount discourage
    dismiss disqualify ditch embrace endorse eliminate favor favour forget forgo go lean migrate
    name neglect object opt pick praise prefer prioritise prioritize recommend rely replace roll
    rule scrap select shun side suggest swap swear trust turn want welcome applaud substitute
    regret overlook underestimate prevent mitigate settle commit
""")
"""Verbs of taking and turning down, beside the acts."""

HOLDING = wordset("""
    keep stay remain retain hold wait maintain preserve stick postpone delay defer pause refrain
    abstain freeze
""")
"""Acts that leave things as they are."""

ORDINARY = wordset("""
    a act an are art as at be basic bill by can chart chef do dust echo edge elm excel express
    fast flow for form get go have he help here in is it julia just keep let make mark may me
    meet might my next no notion now numbers of off on our out pages pass play put react rest
    run salt see set she so spark stay stream swift that the them then they this to try up us
    use vault vote want was we were who will wing word work yes you your access air sea
""") - {"yes", "no", "air", "sea"}
"""Words of plain prose: as an option's name they need the option's own spelling."""

TOGGLES = wordset("on off in out up down all none some any both more less")
"""Options that are such words only are met in any spelling."""

AFTER_VERB = wordset("""
    with to ahead the a an sure for it this that these those your our us my their on into back
    and up down out over all any no some at once something nothing
""")
"""Words that follow a verb at the start of a sentence, seldom a name."""

FUNCTION = wordset("""
    a an the no not to in on of is are was be we i it my so do go us or and at by for as if this
    that with you our your one now can may will more than from any some every each there here up
""")

STOP = FUNCTION | wordset("""
    it's its they them their he she his her has have had does did but would should could must
    shall might just only very also too then when what which who whom how why where while all
""")
