"""Small sets of words that the grammar of endorsement asks about."""

from tasks.reading.grammar.tokens import wordset

ANNOUNCING = wordset("""
    answer verdict vote choice conclusion decision recommendation pick winner final option bet
    way crown award champion
""")
"""Nouns and verbs that announce the verdict itself."""

CALLED = wordset("choice pick winner answer vote recommendation support nod way one preference it")
"""Nouns of praise that name the verdict (`is my choice`), rather than a virtue (`is fast`)."""

FAINT = wordset("""
    adequate acceptable appropriate beneficial cheaper cleaner correct delivers excellent faster
    fine fits good great matches mature necessary outstanding perfect please reasonable reliable
    robust simpler sound sufficient suffices suitable suits stays viable workable works
    favourable nice
""")
"""Praise that an also-ran gets too."""

DOWNWARD = wordset("""
    steeper stricter noisier messier buggier flakier clunkier bulkier hungrier thirstier needs
    need requires takes consumes demands maintenance effort bigger clumsier cost costlier costs
    crashes darker dearer downtime errors failures faults harder heavier later longer outages
    poorer pricier problems riskier slower trouble uglier weaker worse bugs overhead latency
    complexity fragile expensive risky complex complicated dangerous difficult costly brittle
    painful
""")
"""Words of which more is less good."""

FILLERS = wordset("""
    a again absolutely all also an and answer any be certainly clearly classic definitely easily
    firmly for go good have here honestly i in it just likely maybe me modern my no obviously of
    of ok okay old on option our perhaps personally plain please plainly possibly presumably
    probably quite really self should simply strongly sure surely tentatively that the then
    therefore think this to we well will with would yes you your 'd 'll 's 've 'm is team
    decidedly frankly both believe feel
""")
"""Words that may stand before a name without making a sentence of it."""

TAILS = wordset("""
    for with on in at as by from of over under here now please today everywhere always first
    only too again when which who that
""")
"""Words that may follow a bare name."""

HABITUAL = wordset("""
    often commonly usually widely frequently sometimes typically generally traditionally many
    most popularly
""")
"""Words by which a choice is other people's (`is often chosen`)."""

OTHERS = wordset("""
    colleague colleagues others critics competitors opponents peers juror jurors majority
    minority they
""")
"""Whose picks a juror may tell of without making them its own."""

AFTER_MANY = wordset("""
    would will might may could people experts engineers developers teams companies firms shops
    folks users of
""")
"""Words after `many` and `some` by which they are people."""

ADVERBS = wordset("here now please today everywhere always first only too again who that which")
"""Tails after which the sentence may still go on with its verb."""

REPLACING = wordset("with by for to onto into")
LINKING = wordset("and or nor & + / plus")
NOT_ACTS = wordset("""
    nothing something anything everything during considering regarding ranking pricing thing
    being king string meeting training marketing following missing
""")
COPULAS = wordset("is 's would remains must should will :")
"""Words by which praise announces what follows it (`the better choice is`)."""

AUXILIARIES = wordset("""
    is are was were be been has have had would will can could should shall must may might does
    do did 's 'll 'd seems looks
""")
WE = wordset("i we let let's us")
OWN = WE | wordset("me convinced persuaded won should must ought")
PERHAPS = wordset("may might could")
CONCLUDING = wordset("makes means leaves rules points favours favors leads is why i we")
"""Words after `, which` by which it draws a conclusion."""
CONCERNS = wordset("concern concerns doubts reservations misgivings qualms worries concerned fears")
EXCEPTIVE = {
    *("everything but", "everything except", "anything but", "anything except", "all but"),
    *("all options but", "all options except", "every option but", "every option except"),
}
"""Phrases by which what is said of the others is denied of the one named."""
PRONOUNS = wordset("it them")
RANKS_FIRST = wordset("first 1st #1 1")
RANKS_LATER = wordset("later afterwards eventually second third fourth last 2nd 3rd 4th runner-up")
VERBS_OF_BOTH = wordset("""
    is was does are have has had would could can may might will were work do sides options camps
    look seem deserve offer come need require of fine
""")
HOLLOW = {
    "tempting",
    "would be nice",
    "in theory",
    "on paper",
    "seems",
    "looks",
    "looks like",
    "look like",
    "appears",
    "tempting as",
    "attractive as",
    "it may seem",
}
"""Faint praise that follows the option it is about."""
