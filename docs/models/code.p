% The code of a first contact, after a channel whose other end may have any key (channel.p stands before it). SPAKE2 is
% ideal here: its key follows from the code, the final hash of the channel, both identities and both shares, and only
% from all of them. It is shown that only one who knows the code is let in by it, and nobody in between.

cnf(make_code_key, axiom, att(spake(C, H, P, Q)) | ~att(C) | ~att(H) | ~att(P) | ~att(Q)).
cnf(make_proof, axiom, att(proof(K, R)) | ~att(K) | ~att(R)).

% a opens a channel to anybody, and says something to the one who proves the code there
cnf(a_says_to_one_who_knows_the_code, axiom,
    att(seal(k3(dh(ea, E), dh(ea, S), dh(sa, E)), secret_by_code_of_a))
    | ~att(E) | ~att(seal(k1(dh(ea, E)), S))
    | ~att(seal(k2(dh(ea, E), dh(ea, S)), payload(pk(X), sig(X, waiter, hash(pub(ea), E, S)))))
    | ~att(seal(k3(dh(ea, E), dh(ea, S), dh(sa, E)),
        proof(spake(code, hash2(hash(pub(ea), E, S), pub(sa)), pk(a), pk(X)), waiter)))).

% b, whom anybody may have called, answers with its proof, and says something to the one who proves the code as well
cnf(b_proves, axiom,
    att(seal(k3(dh(eb(E), E), dh(sb(E), E), dh(eb(E), S)),
        proof(spake(code, hash2(hash(E, pub(eb(E)), pub(sb(E))), S), pk(X), pk(b)), waiter)))
    | ~att(E) | ~att(seal(k2(dh(eb(E), E), dh(sb(E), E)), S))
    | ~att(seal(k3(dh(eb(E), E), dh(sb(E), E), dh(eb(E), S)),
        payload(pk(X), sig(X, opener, hash2(hash(E, pub(eb(E)), pub(sb(E))), S)))))).
cnf(b_says_to_one_who_knows_the_code, axiom,
    att(seal(k3(dh(eb(E), E), dh(sb(E), E), dh(eb(E), S)), secret_by_code_of_b))
    | ~att(E) | ~att(seal(k2(dh(eb(E), E), dh(sb(E), E)), S))
    | ~att(seal(k3(dh(eb(E), E), dh(sb(E), E), dh(eb(E), S)),
        payload(pk(X), sig(X, opener, hash2(hash(E, pub(eb(E)), pub(sb(E))), S)))))
    | ~att(seal(k3(dh(eb(E), E), dh(sb(E), E), dh(eb(E), S)),
        proof(spake(code, hash2(hash(E, pub(eb(E)), pub(sb(E))), S), pk(X), pk(b)), opener)))).

% a's own proof, once the waiter's was right
cnf(a_proves, axiom,
    att(seal(k3(dh(ea, E), dh(ea, S), dh(sa, E)),
        proof(spake(code, hash2(hash(pub(ea), E, S), pub(sa)), pk(a), pk(X)), opener)))
    | ~att(E) | ~att(seal(k1(dh(ea, E)), S))
    | ~att(seal(k2(dh(ea, E), dh(ea, S)), payload(pk(X), sig(X, waiter, hash(pub(ea), E, S)))))
    | ~att(seal(k3(dh(ea, E), dh(ea, S), dh(sa, E)),
        proof(spake(code, hash2(hash(pub(ea), E, S), pub(sa)), pk(a), pk(X)), waiter)))).
