// What the functions of a build are beside those of the one before it: named, so that whoever accepts them knows what callers will meet. Pure.
import type { BuildView } from '@weft/contract';
import type { BuiltFunction } from './functions/built-function.ts';
import { isStillShown, valuesOf } from './health/sample-values.ts';

type Diff = NonNullable<BuildView['diff']>;
type ChangedFunction = Diff['changed'][number];
type NameChanges = NonNullable<ChangedFunction['fields']>;

/** Functions are the same by their name. `what` lists the members that differ; `fields`, `inputs` and `proof` say how. */
export function diffFunctions(before: readonly BuiltFunction[], after: readonly BuiltFunction[]): Diff {
  const old = new Map(before.map((each) => [each.name, each]));
  const names = new Set(after.map(({ name }) => name));
  return {
    added: after.filter(({ name }) => !old.has(name)).map(({ name }) => name),
    removed: before.filter(({ name }) => !names.has(name)).map(({ name }) => name),
    changed: after.flatMap((each) => {
      const was = old.get(each.name);
      return was ? changedFunction(was, each) : [];
    }),
  };
}

const MEMBERS = {
  state: ({ certificate }: BuiltFunction) => certificate.state,
  lane: ({ certificate }: BuiltFunction) => certificate.lane,
  inputs: ({ workflow }: BuiltFunction) => workflow.inputs ?? {},
  row: ({ rowSchema }: BuiltFunction) => rowSchema,
  steps: ({ workflow }: BuiltFunction) => workflow.steps,
};

function changedFunction(was: BuiltFunction, now: BuiltFunction): ChangedFunction[] {
  const what = Object.entries(MEMBERS)
    .filter(([, read]) => JSON.stringify(read(was)) !== JSON.stringify(read(now)))
    .map(([name]) => name);
  if (what.length === 0) return [];
  const fields = nameChanges(propertiesOf(was.rowSchema), propertiesOf(now.rowSchema), (from, to) => hasSameValues(was, from, now, to));
  const inputs = nameChanges(propertiesOf(was.workflow.inputs), propertiesOf(now.workflow.inputs), () => false);
  const [before, after] = [was.certificate, now.certificate];
  const proof = before.state === after.state ? undefined : { before: before.state, after: after.state, reason: after.reason };
  return [{ name: was.name, what, ...(fields ? { fields } : {}), ...(inputs ? { inputs } : {}), ...(proof ? { proof } : {}) }];
}

/** Undefined where the names are the same. One that is gone and one that is new are one that was renamed where `isSame` says so. */
function nameChanges(
  before: readonly string[],
  after: readonly string[],
  isSame: (from: string, to: string) => boolean,
): NameChanges | undefined {
  const added = after.filter((name) => !before.includes(name));
  const gone = before.filter((name) => !after.includes(name));
  const renamed: { from: string; to: string }[] = [];
  for (const from of gone) {
    const to = added.find((name) => !renamed.some((pair) => pair.to === name) && isSame(from, name));
    if (to !== undefined) renamed.push({ from, to });
  }
  if (added.length + gone.length === 0) return undefined;
  return {
    added: added.filter((name) => !renamed.some(({ to }) => to === name)),
    gone: gone.filter((name) => !renamed.some(({ from }) => from === name)),
    renamed,
  };
}

function propertiesOf(schema: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  const properties = schema?.['properties'];
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

function hasSameValues(was: BuiltFunction, from: string, now: BuiltFunction, to: string): boolean {
  return isStillShown(valuesOf(was.sample, from), valuesOf(now.sample, to).join(' '));
}
