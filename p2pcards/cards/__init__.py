"""A card, a face-down card, packs, slots and the eyes that have seen them."""
