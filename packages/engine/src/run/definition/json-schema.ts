// Holds values of a run to the JSON Schemas that its workflow gives.
import { compileUserSchema } from '../../schema/user-schema.ts';
import type { UserSchema } from '../../schema/user-schema.ts';

/** Schemas stay as long as the workflow that holds them. */
const compiled = new WeakMap<object, UserSchema>();

/** What is wrong with a schema, to stand behind its name; undefined where nothing is. */
export function faultOfSchema(schema: unknown): string | undefined {
  const made = compileUserSchema(schema);
  return 'check' in made ? undefined : `is no schema${made.path === '' ? '' : ` at ${made.path}`}: ${withoutStop(made.sentence)}`;
}

/** Where and why `value` does not fit a checked schema; undefined where it fits. */
export function misfit(value: unknown, schema: object, name: string): string | undefined {
  const problem = compiledSchema(schema).check(value);
  return problem && `${name}${problem.path.replaceAll('/', '.')} does not fit: ${withoutStop(problem.sentence)}`;
}

function compiledSchema(schema: object): UserSchema {
  const known = compiled.get(schema);
  if (known) return known;
  const made = compileUserSchema(schema);
  // What is no schema was refused when the workflow was kept; one that a template gives fits nothing.
  const usable = 'check' in made ? made : { check: () => made };
  compiled.set(schema, usable);
  return usable;
}

/** A sentence as the end of another. */
function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '').replace(/^It /, 'it ');
}
