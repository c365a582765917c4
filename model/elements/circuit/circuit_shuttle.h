// The higher of two reports.
ELEMENT(shuttle, NODE, "shuttle", "shuttle of a load-sensing line")
    NUMBER_OF(width, load_sensing)
    GIVEN(one, PASCAL, "the highest so far")
    GIVEN(other, PASCAL, "one more")
    RESULT(higher, OUTPUT, "", PASCAL, ALWAYS, "")
#ifdef LAW
    out->higher = larger(one, other, width);
#endif
END(shuttle)
