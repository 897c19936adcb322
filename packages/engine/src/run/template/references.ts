// What a template refers to, for the check before it is kept.
import { FILTERS } from './filters.ts';
import { TemplateError, parseTemplate } from './parse.ts';

/** The references of one template. */
export interface References {
  /** Paths by their parts. */
  readonly paths: readonly (readonly string[])[];
  /** True where a secret or a value of a persona is named. */
  readonly isSealed: boolean;
  readonly secrets: readonly string[];
  readonly personaFields: readonly string[];
  readonly files: readonly string[];
}

/** All that `template` refers to. Throws TemplateError for one that is wrong, or names a filter that there is not. */
export function referencesOf(template: string): References {
  const found = { paths: [] as (readonly string[])[], secrets: [] as string[], personaFields: [] as string[], files: [] as string[] };
  for (const part of parseTemplate(template)) {
    if (typeof part === 'string') continue;
    if (part.kind === 'secret') found.secrets.push(part.key);
    else if (part.kind === 'persona') found.personaFields.push(part.field);
    else if (part.kind === 'file') found.files.push(part.id);
    else {
      if (part.kind === 'path') found.paths.push(part.path);
      for (const { name, arguments: given } of part.filters) {
        if (!Object.hasOwn(FILTERS, name)) throw new TemplateError(`has the filter ${name}; there are ${Object.keys(FILTERS).join(', ')}`);
        for (const argument of given) if (typeof argument === 'object') found.paths.push(argument.path);
      }
    }
  }
  return { ...found, isSealed: found.secrets.length + found.personaFields.length > 0 };
}
