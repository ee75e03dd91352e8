"""Phrases of decisions by what they do, parted by `|`; `lexicon` makes them searchable."""

from collections.abc import Mapping

from tasks.reading.grammar.cues import Cue

LINES: Mapping[Cue, str] = {
    Cue.PICK: """
        adopt|advocate|advise|answer :|answer is|answer would be|answer remains|back|best bet is
        best choice is|best option is|bet on|by far|champion|change my mind to|choice :|choice is
        choice would be|choice remains|choose|come down on the side of|comes down to|commit to
        conclusion is|decide for|decide on|decided on|decision :|decision is|deserves|embrace
        endorse|favor|favour|final answer is|go for|go with|got to be|has to be|have to be
        have to go with|hold with|hosted in|host it in|i side with|i'd say|in favor of|in favour of
        in support of|it is|it's got to be|it's|it will be|i say|keep using|land on|lean to
        lean toward|lean towards|look no further than|look no farther than|make it|migrate to
        migrate onto|move to|move onto|must be|my pick is|my vote :|my vote goes to|my vote is
        my vote is for|not go wrong with|opt for|option is|pick|pick :|plump for|prefer
        preferable is|prioritise|prioritize|proceed with|recommend|recommendation :
        recommendation is|rely on|roll with|run|say|select|settle for|settle on|should be|side with
        stand by|stay in|stay on|stay with|stick to|stick with|suggest|support|swear by
        switch over to|switch to|take|trust|turn to|use|verdict :|verdict is|vote :|vote for
        vote goes to|vote is|vote is for|want|was right about|way to go is|went with|wins :|winner :
        winner is|would say|persuaded me to|convinced of|convinced by|convinced me of|sold on
        build on|invest in|start with|begin with|deploy|implement|standardise on|standardize on
        converge on|rest with|lies with|belongs to|belongs in|leave it in|put it in|keep it in
        store it in|praise|time to|wise to|good idea to|best to|sensible to|worth|right to|pays to
        in our interest to|applaud|welcome|it makes sense to|makes sense to|better to|smart to
        prudent to|safe to|better off with|best off with|happiest with|comfortable with|confident in
        defer to|reminds me to|i back|concede to|convert to|upgrade to|transition to|adhere to
        all in on|hands down|buy|give me|award it to|hand it to|name|crown|hire|keep to|substitute
        swap in|nothing comes close to|nothing compares to|nothing compares with
        no one comes close to|hard to argue against|hard to argue with|not argue with
        no alternative to|no substitute for|can not afford not to|have no choice but to
        no choice but|no option but|goes to|goes in|goes into|belong in|lives in|live in|sits in
        hold it in|bet is|nobody but|no one but|nothing except|vote
    """,
    Cue.DROP: """
        abandon|advise against|against|avoid|away from|ban|bin|cancel|caution against|condemn
        decline|deprecate|discard|discount|discourage|dismiss|disqualify|ditch|drop|eliminate
        exclude|forgo|forget|forget about|get rid of|give up|give up on|i 'd skip|ignore|kill off
        leave behind|move off|move off of|mistake to|error to|folly to|foolish to|unwise to|wrong to
        bad idea to|poor idea to|terrible idea to|reckless to|irresponsible to|premature to
        dangerous to|pointless to|too early to|too soon to|too risky to|too late to|risky to
        imprudent to|silly to|migrate off|neglect|no to|object to|oppose|opposed to|pass on
        phase out|pull out of|recommend against|refuse|refuse to|reject|remove|replace|retire|rid of
        rule out|say no to|scrap|shun|skip|shy away from|stay away from|steer clear of|stop using
        swap|swap out|switch off|switch away from|move away from|migrate away from|turn down
        urge against|veto|vote against|vote down|wean off|worry about|beware of|decide against
        decided against|argue against|argues against|speaks against|stacked against|trade|exchange
        reluctant to|hesitant to|hesitate to|i distrust|distrust|mistrust|migrate from|move from
        switch from|transition from|convert from|change from|shift from|port from|go from|delay
        postpone|defer|pause|halt|suspend|shelve|can not afford|can not afford to|overlook
        underestimate|write off|prevent|reduce|mitigate|minimise|minimize|solve|resist|wary of
        nervous about|worried about|sceptical of|skeptical of|doubtful about|no time to
        not enough time to|too little time to|lack the time to|too busy to|fed up with|tired of|dump
        retract|withdraw|scratch|axe|sack|junk|trash|nix|contra|purge|uninstall|withhold|take back
        took back|unconvinced by|unpersuaded by|unmoved by|unswayed by|boycott|say goodbye to
        get off|do away with|part with|criticise|criticize|hate|dislike|loathe|despise|detest|fear
        dread|blame|move on from|back away from|get away from|divorce|leave|quit|regret
        complain about
    """,
    Cue.WIN: """
        >|>>|above|ahead of|all but beats|as opposed to|beat|beats|beating|better suited than
        besting|bests|crushes|dominates|eclipses|edges|edges out|exceeds|excels over
        has the edge over|in favour over|in lieu of|in place of|instead of|leads
        more than a match for|outclasses|outdoes|outperform|outperforms|outpaces|outranks|outshines
        outscores|outstrips|outweighs|over|overtakes|prevails over|preferable to|preferred to
        preferred over|rather than|superior to|surpasses|tops|towers over|triumphs over|trounces
        trumps|wins against|wins out over|wins over|in preference to|sooner than|other than
        apart from|except|except for|aside from|and never|but never|leaves behind|leaves in the dust
        blows away|blow away|wipes the floor with|outdo|surpass|trump|top|take the place of
        takes the place of|taking the place of
    """,
    Cue.LOSE: """
        <|<<|beaten by|behind|bested by|below|cannot match|can not match|can not compete with
        can not hold a candle to|does not hold a candle to|dominated by|eclipsed by|falls behind
        falls short of|fall short of|fell short of|inferior to|lags|lags behind|loses against
        loses out to|loses to|lost to|no competition for|no match for|no rival for|no rival to
        not a patch on|not in the same league as|not match|does not match|does not compare to
        does not compare with|not come close to|does not measure up to|not live up to|outclassed by
        outdone by|outmatched by|outperformed by|outranked by|outshone by|outweighed by
        overshadowed by|pales beside|pales in comparison to|pales in comparison with|pales next to
        poor substitute for|runner-up to|runner up to|second only to|second to|a distant second to
        distant second to|surpassed by|topped by|trails|trails behind|trumped by|wishes it were
        would be better served by|subordinate to|next to nothing against|gives way to|yields to
        makes way for|beaten out by|edged out by|does not beat|comes nowhere near|come nowhere near
        is nowhere near|has nothing on|have nothing on|can not compare with|can not compare to
        make way for|should make way for|plays second fiddle to|can not touch|not a match for
        a poor man's|give way to|yield to
    """,
    Cue.BESIDE: """
        compared to|compared with|versus|vs|v|vs.|in comparison to|in comparison with|relative to
        unlike|between|choice between|choose between|choosing between|decide between
        deciding between|next to|alongside|against the backdrop of|torn between|comparing|weighing
        compare|contrast with|in contrast to|in contrast with|by comparison with|competitor of
        alternative to|equivalent to|as good as|on par with|on a par with|the way|known from
        coming from|users of|fans of|proponents of|advocates of|some say|some argue|some prefer
        case to be made for|case can be made for|others say|others prefer|critics of|argument for
        arguments for|case for|supporters of|people say|many choose|many use|many prefer|most use
        everyone uses|popularity of|competes with|in addition to|those who|anyone who|people who
        others who|everyone who|no different from
    """,
    Cue.GOOD: """
        adequate|acceptable|all the way|appropriate|best|better|better choice|better fit|best choice
        best fit|best of|clear choice|clear winner|cleaner|comes out ahead|comes out on top|correct
        delivers|deserves it|deserves my vote|excellent|excels|fine choice|fits|fits best
        fits better|for the win|ftw|gets my vote|gets my support|gets the nod|good|good choice
        good fit|good idea|great|has my support|has my vote|has the edge|is the default
        default choice|has no equal|has no peer|has no rival|hard to beat|ideal|is it|is the one
        it must be|makes sense|makes more sense|makes the most sense|matches|more suitable|my answer
        my choice|my pick|my preference|my recommendation|my vote|necessary|never disappoints
        never fails|no brainer|no-brainer|not bad|obvious choice|outstanding|pays off|perfect
        preferable|prevails|prudent|reasonable|reliable|right|right call|right choice|right answer
        right tool|right one|safer|safer pick|safe choice|safest|second to none|sensible|shines
        sound|stands out|stays|still wins|suffices|suitable|suits|superior|the answer|the choice
        the one|the way to go|the way forward|the winner|the pick|the better|the best|unbeatable
        unmatched|unrivalled|viable|warranted|justified|wins|wise|works|works best|works better
        workable|worth it|beneficial|advisable|should win|please|all day|without doubt
        has my backing|comes first|will do|wins out|wins hands down|carries the day|takes it
        takes the crown|still my choice|edges it|for me|is enough|sufficient|favourable
        can not be beaten|can not be beat|can not be bettered|unbeaten|least bad|least worst
        lesser evil|lesser of two evils|won me over|wins me over|has won me over|faster|simpler
        cheaper|more mature|robust|i like|i love|i admire|suited|well suited|made for|up to the task
        up to it|the right fit|it should be|it has to be
    """,
    Cue.BAD: """
        a fad|offers nothing|adds nothing|brings nothing|gains us nothing|buys us nothing|bad
        bad choice|bad fit|bad idea|broken|clumsy|collapses|comes up short|complicated|costly
        costs too much|dangerous|dead|dead end|deal breaker|dealbreaker|deprecated|disappoints
        disaster|disqualified|does not cut it|does not fit|does not work|error|expensive|fad|fails
        fails us|falls apart|falls flat|falls short|flawed|folly|foolish|fragile|fraught|harmful
        horrible|immature|impossible|impractical|inadequate|inappropriate|incorrect|inferior
        insufficient|irresponsible|is not it|is out|lacking|lacks|leaves much to be desired|legacy
        loses|loses data|misguided|mistake|needless|no good|no go|no-go|nonsense|non-starter
        not an option|nonstarter|obsolete|off the table|one too many|out of the question|outdated
        overhyped|overkill|overpriced|poor|poor choice|poor fit|premature|problematic|reckless|risk
        risks|risky|ruled out|second best|slow|slower|struggles|suffers|terrible|the wrong
        too complex|too costly|too expensive|too fragile|too hard|too heavy|too many|too much
        too risky|too slow|too small|too big|unacceptable|unfit|unjustified|unnecessary|unreliable
        unsafe|unsound|unsuitable|untenable|unwise|useless|vulnerable|waste|weak|weaker|won't do
        worse|worst|worst choice|wrong|wrong call|wrong choice|wrong answer|wrong tool|breaks
        corrupts|hard to justify|hard to defend|pointless|a gamble|too late|too early|shortsighted
        short-sighted|counterproductive|unproven|bloated|cumbersome|brittle|painful|a liability
        a trap|no longer viable|not for us|doomed|trouble|asking for trouble|nervous|worried
        worrying|worrisome|concerning|lost|losing|loss|losses|leaks|crash|crashes|outage|outages
        downtime|lock-in|bugs|buggy|insecure|unstable|flaky|nightmare|mess|messy|pain|headache
        burden|debt|danger|hazard|harms|hurts|damages|undermines|violates|unfair|unethical
        time-consuming|too long|take too long|takes too long|too short|too little|slow down
        slows down|slow us down|slows us down|weakness|weaknesses|limited|missing|poorly|badly
        difficult|fail|failed|failing|failure|temptation|hype|not enough|too strict|too loose
        too young|too old|too new|too much work|overcomplicated|overly complex|wasteful|infeasible
        dubious|questionable|shaky|undermaintained|abandoned|unsupported|end of life|hopeless
        unworkable|untested|unready|not ready|defective|ill-suited|ill suited|unfavourable
        inefficient|bottleneck|expense|delays|ties us down|locks us in|binds us|the one to avoid
        one to avoid|to be avoided|not worth it|not worth the|is the one to avoid|the last thing
        last thing|too soon
    """,
    Cue.FIRST: """
        first choice|top choice|top pick|number one|no. 1|# 1|1st|ranks first|rank first|on top
        in first place|first place|gold|my first|favourite|favorite|my number one|takes first
        comes in first|plan a|top spot|leads the list|heads the list
    """,
    Cue.LATER: """
        second choice|third choice|last choice|second place|third place|last place|in second
        in second place|in third place|runner up|runner-up|runners up|fallback|fall back to
        fall back on|backup|back-up|plan b|last resort|next best|number two|number three|# 2|# 3|2nd
        3rd|comes second|comes third|comes last|ranks second|ranks third|ranks last|distant second
        silver|bronze|followed by|then|after that|closely followed by|a close second|close second
        a distant second|as a backup|as backup|as a fallback|as an alternative|secondary choice
        alternatively|bottom|my second|my third|my last|so does|so do|so is|so are|down the road
    """,
    Cue.NOT: """
        not|never|❌|✗|✘|👎|🚫|-1|no|none|nothing|nobody|no one|without|hardly|scarcely|barely
        rarely|seldom|neither of|far from|anything but|by no means|under no circumstances|in no way
        no way|nowhere near|fail to|fails to|failed to|failing to|unable to|decline to|lack of
        no reason to|not enough to|insufficient to|not strong enough to|no need to|no case for
        refrain from|stop short of|doubt|doubts|doubt that|deny|denies|stop|non|nope|no longer
        no grounds to|little reason to|no point in|not worth|refusing to|hard pressed to
        few reasons to|no justification for|no sense in|hard to|difficult to|not yet|not even
        no more|no further|all but|anyone but|everything but|everyone but|anything except
        everything except|all options but|all options except|every option but|every option except
        the last to|last person to|the last person to|far be it from me to|the opposite is
        the reverse is|the contrary is
    """,
    Cue.FINAL: """
        final verdict|final answer|final vote|final decision|final position|final choice|my own vote
        own vote|verdict|in conclusion|conclusion|to conclude|bottom line|tl ; dr|tldr|tl;dr
        in summary|in short|summary|overall|on balance|all things considered|all in all
        on reflection|upon reflection|on second thought|on second thoughts|after reflection
        in the end|ultimately|finally|no wait|wait no|wait|actually|scratch that|correction|rather
        i now|now i|today|now|nowadays|these days|at last|having considered|after all
        when all is said and done|i rest my case|changed my mind|change my mind|having weighed
        revised|updated answer|i vote|i conclude|i therefore|recommendation|if i had to choose
        if i must choose|if i had to pick|if i must pick|if forced|if forced to choose|if pressed
        if pushed|gun to my head|if i were to choose|if i had to|if i must|if it were up to me
        if you ask me|if anything|if i were to pick|if forced to pick|if i had to decide|if asked
        if i had to bet|had to choose|i have changed my mind|answer|still|nonetheless|nevertheless
        even so|having said that|that said|regardless|anyway|if i were to take a stance
        if i were to take a side|if i had to take a side|if i had to take a stance
        if i had to answer|if i must answer|if i were you|were it up to me|in your place
        in your shoes|were it my money|for my money
    """,
    Cue.SO: """
        so|hence|therefore|thus|consequently|accordingly|ergo|as a result|which is why|that is why
        which leaves|that leaves|this leaves|leaving us with|leaves us with|for that reason
        for this reason|for these reasons|it follows|meaning|i.e|i.e.|so that|=>|→|->|namely|that is
        specifically|leaving only
    """,
    Cue.BUT: "but|yet|however|though|only that|except that|whereas",
    Cue.CONCEDE: """
        while|whilst|although|even though|even if|despite|in spite of|notwithstanding|granted
        admittedly|it is true that|true that|true ,|it is tempting|tempting|would be nice|no matter
        for all|much as|as much as|regardless of|i know|i admit|to be fair|i understand|i see why
        i get|i get why|tempting as|attractive as|whatever|in theory|on paper|at a glance
        it may seem
    """,
    Cue.BECAUSE: """
        because|since|due to|given|given that|thanks to|considering|owing to|on the grounds that
        seeing that|inasmuch as|as it|as they|for the reason that|on account of|in view of
    """,
    Cue.PAST: """
        used to|was|were|initially|originally|at first|at first glance|at first sight|previously
        formerly|in the past|i thought|i had thought|i believed|first thought|my first thought
        first instinct|my instinct was|until|was ready to|was tempted|was inclined|had been|i almost
        i nearly|we almost|we nearly|almost chose|nearly chose|came close to|i would have
        we would have|i'd have|we'd have|back then|in round one|in the first round|in round 1
        last time|started out|leaned|i leaned|had planned|historically|years ago|in my first answer
        my earlier|no longer favour|no longer support
    """,
    Cue.IF: """
        if|were it|were this|unless|provided|provided that|assuming|assuming that|as long as
        so long as|in case|only if|only when|when|whenever|where|once we|supposing|contingent on
        conditional on|subject to|depending on|only for|just for|only as|in the event|were we to
        should you
    """,
    Cue.ELSE: "otherwise|or else|if not|in which case|failing that|in that case|if so|, else",
    Cue.ASK: """
        whether|you ask|the question is|the question of|asked|question :|you want to know|asks
        options are|options :|the options|the candidates|candidates :|candidates are|contenders
        do you mean
    """,
    Cue.UNSURE: """
        no opinion|no preference|no strong preference|no strong opinion|abstain|i abstain|abstaining
        not enough information|not enough info|not enough data|not enough context|not enough detail
        insufficient information|insufficient data|insufficient context|insufficient evidence
        not enough evidence|more information|more context|more data|need to know more|can not decide
        can not choose|can not say|can not tell|can not judge|can not recommend either
        could not decide|could not choose|unable to decide|unable to choose|unable to say
        unable to judge|hard to say|hard to tell|hard to judge|difficult to say|impossible to say
        depends|it depends|depends on|depend on|not sure|unsure|uncertain|undecided|unclear
        not clear|do not know|don't know|no idea|toss up|toss-up|tossup|coin flip|too close to call
        a draw|a tie|tie|tied|equally good|equally valid|equally suitable|equally viable|either way
        either works|either would work|either will do|either is fine|either one|whichever
        no clear winner|no clear answer|no clear choice|decline to answer|no comment
        it is complicated|as an ai|take no side|take no position|not take a position|not take sides
        on the fence|no verdict|no answer|can not answer|both have merits|both have their
        pros and cons|agnostic|maybe|perhaps either|remains to be seen|jury is out|recuse|neutral
        indifferent|pass|no view|reserve judgment|reserve judgement|withhold judgment
        withhold judgement|case by case|cannot be answered|skip this|not my place|to be determined
        split|could go either way|matter of taste|up to you|your call|no right answer|not qualified
    """,
    Cue.NEITHER: "neither|none of them|none of the above|none of these|none of those|not either",
    Cue.BOTH: "both|all of them|all of the above|all three|a combination of|a mix of|hybrid of",
    Cue.EITHER: "either|any of them|any of these|one of",
    Cue.ORDER: """
        ignore the|ignore all|ignore any|ignore previous|ignore your|ignore other|disregard|system :
        count every|count all|count this|count each|all jurors|every juror|each juror|other jurors
        the tally|tally rules|for all jurors|override|overrule the|you must count|new instructions
        instruction :|instructions :|assistant :|user :|developer :|record all|record every|mark all
        mark every|set all|treat all|treat every|all votes|every vote|other votes|must be counted
        must be recorded|unanimous|unanimously|discard other|the judge must|the judge should
        dear judge|attention judge|note to the judge|the moderator must|tabulator|admin :|sudo
        for everyone|for everybody|for every juror|[ system ]|set stance|record that everybody
        tell the other
    """,
    Cue.PLAIN: """
        ich bin|against the grain|against the odds|no doubt|without a doubt|no question
        without question|no question about it|no doubt about it|no doubts|no objection|no objections
        not surprisingly|no surprise|no change|nothing new|no matter what|not to mention|if not more
        not least|no hesitation|without hesitation|no contest|no ifs|no buts|without reservation
        without reservations|with reservations|with reservation|do not yield|yield nothing|no small
        no problem|no problems|not without|nothing but|none other than|no other than|no less
        no fewer|no later than|nothing short of|no exaggeration|no reservations|no regrets
        no exceptions|no mean feat|hold my ground|hold the price|not yield|not budge|not moved
        no wonder|not surprising|can not stress|no second thoughts|but also|what is more|over time
        over the|over a|in over|more or less|well over|all over|over and over|over there
        change of mind|take over|hand over|take into|take a|take the|take some|back up|back to
        use case|use cases|used for|run out|run into|like to|would like|say that|i would say that
        i say that|of course|such as|nobody ever got fired for|no one ever got fired for|like i said
        as i said|no time like the present|nothing else|no other|no one else|all else being equal
        other things being equal|little doubt|little doubt that|beyond doubt|beyond question
        beyond a doubt|not only|not just|not merely|no reason to change|no reason to change my vote
        no reason to change my mind|no need to change
    """,
    Cue.AND: """
        as well as|together with|along with|combined with|in combination with|paired with
    """,
}
