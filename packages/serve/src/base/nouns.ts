// The nouns of a program: each folder says how its own are made, and each is made once, when it is first asked for.

/** How some nouns are made, each from all others. */
export type NounMakers<Nouns> = { readonly [Name in keyof Nouns]?: (nouns: Nouns) => Nouns[Name] };

/** The nouns of all `makers` on what is given. Throws for one that two make, and, when it is asked for, for one that needs itself. */
export function createNouns<Nouns extends object>(given: Partial<Nouns>, makers: readonly (NounMakers<Nouns> | undefined)[]): Nouns {
  const nouns: Record<string, unknown> = { ...given };
  // Every other name is declared by the folder that makes it, and its maker has that type.
  const all = nouns as Nouns;
  const named = makers.flatMap((one) => Object.entries<((nouns: Nouns) => unknown) | undefined>(one ?? {}));
  for (const [name, make] of named) {
    if (Object.hasOwn(nouns, name)) throw new Error(`Two groups make "${name}".`);
    let state: 'unmade' | 'making' | 'made' = 'unmade';
    let made: unknown;
    const get = () => {
      if (state === 'making') throw new Error(`"${name}" needs itself to be made.`);
      if (state === 'made') return made;
      state = 'making';
      made = make?.(all);
      state = 'made';
      return made;
    };
    Object.defineProperty(nouns, name, { get, enumerable: true });
  }
  return all;
}
