% The channel (protocol/channel.md) and the code (protocol/first-contact.md) in clauses: att(M) says that somebody who
% sits on every line, and may begin any number of channels with anybody, comes to know M. They have an identity of their
% own, i; a and b are the private keys of two honest people. README.md says how to read it.

% --- what anybody can do with what they know ---------------------------------------------------------------------------

cnf(dh, axiom, dh(X, pub(Y)) = dh(Y, pub(X))).
cnf(own_identity, axiom, att(i)).
cnf(own_secret, axiom, att(n)).
cnf(make_public, axiom, att(pub(X)) | ~att(X)).
cnf(make_identity, axiom, att(pk(X)) | ~att(X)).
cnf(identity_of_a, axiom, att(pk(a))).
cnf(identity_of_b, axiom, att(pk(b))).
cnf(make_shared, axiom, att(dh(X, Y)) | ~att(X) | ~att(Y)).
cnf(make_key_1, axiom, att(k1(X)) | ~att(X)).
cnf(make_key_2, axiom, att(k2(X, Y)) | ~att(X) | ~att(Y)).
cnf(make_key_3, axiom, att(k3(X, Y, Z)) | ~att(X) | ~att(Y) | ~att(Z)).
cnf(make_role_1, axiom, att(opener)).
cnf(make_role_2, axiom, att(waiter)).
cnf(make_hash, axiom, att(hash(X, Y, Z)) | ~att(X) | ~att(Y) | ~att(Z)).
cnf(make_long_hash, axiom, att(hash2(X, Y)) | ~att(X) | ~att(Y)).
cnf(sign, axiom, att(sig(S, R, H)) | ~att(S) | ~att(R) | ~att(H)).
cnf(make_payload, axiom, att(payload(X, Y)) | ~att(X) | ~att(Y)).
cnf(open_payload_1, axiom, att(X) | ~att(payload(X, Y))).
cnf(open_payload_2, axiom, att(Y) | ~att(payload(X, Y))).
cnf(seal, axiom, att(seal(K, M)) | ~att(K) | ~att(M)).
cnf(open, axiom, att(M) | ~att(seal(K, M)) | ~att(K)).

% --- a opens, with the ephemeral ea and the static sa; the owner of the key X answers ------------------------------------

cnf(message_1, axiom, att(pub(ea))).
cnf(message_3_static, axiom,
    att(seal(k2(dh(ea, E), dh(ea, S)), pub(sa)))
    | ~att(E) | ~att(seal(k1(dh(ea, E)), S))
    | ~att(seal(k2(dh(ea, E), dh(ea, S)), payload(pk(X), sig(X, waiter, hash(pub(ea), E, S)))))).
cnf(message_3_payload, axiom,
    att(seal(k3(dh(ea, E), dh(ea, S), dh(sa, E)), payload(pk(a), sig(a, opener, hash2(hash(pub(ea), E, S), pub(sa))))))
    | ~att(E) | ~att(seal(k1(dh(ea, E)), S))
    | ~att(seal(k2(dh(ea, E), dh(ea, S)), payload(pk(X), sig(X, waiter, hash(pub(ea), E, S)))))).
cnf(a_says_to_b, axiom,
    att(seal(k3(dh(ea, E), dh(ea, S), dh(sa, E)), secret_of_a))
    | ~att(E) | ~att(seal(k1(dh(ea, E)), S))
    | ~att(seal(k2(dh(ea, E), dh(ea, S)), payload(pk(b), sig(b, waiter, hash(pub(ea), E, S)))))).

% --- b waits, and answers E with the ephemeral eb(E) and the static sb(E) ----------------------------------------------

cnf(message_2_ephemeral, axiom, att(pub(eb(E))) | ~att(E)).
cnf(message_2_static, axiom, att(seal(k1(dh(eb(E), E)), pub(sb(E)))) | ~att(E)).
cnf(message_2_payload, axiom,
    att(seal(k2(dh(eb(E), E), dh(sb(E), E)), payload(pk(b), sig(b, waiter, hash(E, pub(eb(E)), pub(sb(E)))))))
    | ~att(E)).
cnf(b_says_to_a, axiom,
    att(seal(k3(dh(eb(E), E), dh(sb(E), E), dh(eb(E), S)), secret_of_b))
    | ~att(E) | ~att(seal(k2(dh(eb(E), E), dh(sb(E), E)), S))
    | ~att(seal(k3(dh(eb(E), E), dh(sb(E), E), dh(eb(E), S)),
        payload(pk(a), sig(a, opener, hash2(hash(E, pub(eb(E)), pub(sb(E))), S)))))).
