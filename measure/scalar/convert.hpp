// Included after model/ has been read twice: as `plain` with `double`, and in another namespace with
// a number of type Number. Carries chains from the one to the other.

template <class Number, class Chain> class converted_chain
{
public:
    // `exact` makes a Number of a geometric constant, `given` of any other number of the robot.
    template <class Exact, class Given>
    converted_chain(const plain::fa_chain *from, Exact exact, Given given) : body(from->n)
    {
        if (body.missing()) return;
        chain.n = from->n;
        chain.n_coordinates = from->n_coordinates;
        chain.coupled = from->coupled;
        chain.branched = from->branched;
        chain.screws = from->screws;
        chain.loops = nullptr; // trees
        chain.body = body.data();
        vector(from->gravity, chain.gravity, exact);
        chain.held = nullptr; // moves freely, and stands still unless the caller says otherwise
        chain.base_moves = false;
        for (int i = 0; i < from->n; i++) {
            const plain::fa_body &a = from->body[i];
            auto                 &b = body[i];
            b.parent = a.parent;
            b.joint = static_cast<decltype(b.joint)>(a.joint);
            b.coordinate = a.coordinate;
            b.ratio = exact(a.ratio);
            b.offset = exact(a.offset);
            b.rotor = exact(a.rotor);
            b.advance = exact(a.advance);
            vector(a.axis, b.axis, exact);
            vector(a.home.r, b.home.r, exact);
            for (int x = 0; x < 3; x++)
                for (int y = 0; y < 3; y++) b.home.E.m[x][y] = exact(a.home.E.m[x][y]);
            b.inertia.mass = given(a.inertia.mass);
            vector(a.inertia.h, b.inertia.h, given);
            b.inertia.I = {given(a.inertia.I.xx), given(a.inertia.I.yy), given(a.inertia.I.zz),
                           given(a.inertia.I.xy), given(a.inertia.I.xz), given(a.inertia.I.yz)};
        }
    }

    bool missing() const { return body.missing(); }

    Chain chain;

private:
    template <class To, class Make> static void vector(plain::fa_vec3 a, To &b, Make make)
    {
        b.x = make(a.x);
        b.y = make(a.y);
        b.z = make(a.z);
    }

    buffer<
        typename std::remove_const<typename std::remove_pointer<decltype(Chain::body)>::type>::type>
        body;
};
