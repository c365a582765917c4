// Limits from a joint's data sheet. Without stops they are information: no force enforces them.
ELEMENT(limit, FREE_JOINT, "limit", "limits")
    NUMBER(lower, "lower", "lower_limit", POSITION, USUAL(-INFINITY), FINITE, IF(has_lower),
           "[stops?Position at which %s meets its lower stop:Lowest position that the maker "
           "allows %s; information, the joint moves on]")
    NUMBER(upper, "upper", "upper_limit", POSITION, USUAL(INFINITY), FINITE, IF(has_upper),
           "[stops?Position at which %s meets its upper stop:Highest position that the maker "
           "allows %s; information, the joint moves on]")
    NUMBER(effort, "effort", "effort_limit", EFFORT, USUAL(INFINITY), NOT_NEGATIVE, IF(has_effort),
           "Largest effort that the maker allows %s; information, the input is not cut")
    NUMBER(velocity, "velocity", "velocity_limit", SPEED, USUAL(INFINITY), NOT_NEGATIVE,
           IF(has_velocity),
           "Largest speed that the maker allows %s; information, the joint goes on")
    SITE(stops, "the joint has stops")
    FLAG(has_lower, lower > -INFINITY, "a lower limit")
    FLAG(has_upper, upper < INFINITY, "an upper limit")
    FLAG(has_effort, effort < INFINITY, "a limit of the effort")
    FLAG(has_velocity, velocity < INFINITY, "a limit of the velocity")
    EVERYWHERE()
    RULE(lower <= upper,
         "%s has the lower limit {lower} above its upper limit {upper}; exchange them")
END(limit)
