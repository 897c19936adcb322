// Lists that stand in the contract, held to it by their types: loading its schemas would slow every command down.

/** The names of a list, in the order in which they are given; the compiler misses none and takes no other. */
export function namesOf<Name extends string>(names: Readonly<Record<Name, true>>): readonly Name[] {
  // An object literal of this type has these members alone.
  return Object.keys(names) as Name[];
}
