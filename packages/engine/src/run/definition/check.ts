// What is wrong with a workflow before it is kept: all of it, each with its place.
import type { Condition, FieldRule, ListWrapper, NewWorkflow, Step } from '@weft/contract';
import { PageError } from '../../errors.ts';
import { checkJsonPath } from '../../html/selectors/json.ts';
import { compileRegex } from '../../html/selectors/regex.ts';
import { parseSelector } from '../../html/selectors/selector.ts';
import { faultOfSchema } from './json-schema.ts';
import { patternOf } from '../reading/typed.ts';
import { allSteps, bodiesOf } from '../state.ts';
import { lanesOf, lanesOfStep } from '../steps/table.ts';
import { TemplateError } from '../template/parse.ts';
import { referencesOf } from '../template/references.ts';
import { isMembers } from '../value.ts';

/** One thing that is wrong, and where: `steps.2.body.0.url`. */
export interface WorkflowFault {
  readonly path: string;
  readonly message: string;
}

const STEPS_MAX = 1000;
/** Members that a secret may stand in: what is sent, and shown nowhere. */
const SENT = /^(?:headers|form|json|multipart|body|fields|value)$/;
/** Members that hold no template. */
const PLAIN = new Set([
  'id',
  'type',
  'title',
  'source',
  'expression',
  'regex',
  'path',
  'attr',
  'selectors',
  'schema',
  'on_error',
  'save_as',
  'as',
  'dedupe_key',
  'param',
  'name_of',
  'submit',
  'attributes',
  'properties',
  'key',
]);

type Checked = Pick<NewWorkflow, 'steps' | 'finally' | 'inputs' | 'output' | 'lane' | 'persona_id'>;

/** All that is wrong with `workflow`, in the order of its parts; empty where nothing is. */
export function checkWorkflow(workflow: Checked): readonly WorkflowFault[] {
  const check = new WorkflowCheck(workflow);
  return check.run();
}

class WorkflowCheck {
  private readonly workflow: Checked;
  private readonly faults: WorkflowFault[] = [];
  private readonly ids = new Set<string>();
  private readonly variables: ReadonlySet<string>;
  private readonly inputs: ReadonlySet<string>;

  constructor(workflow: Checked) {
    this.workflow = workflow;
    const steps = allSteps([...workflow.steps, ...(workflow.finally ?? [])]);
    const named = steps.flatMap((step) => [step.save_as, step.type === 'setVar' ? step.name : undefined]);
    this.variables = new Set(named.filter((name) => name !== undefined));
    const properties = isMembers(workflow.inputs) ? workflow.inputs['properties'] : undefined;
    this.inputs = new Set(isMembers(properties) ? Object.keys(properties) : []);
  }

  run(): readonly WorkflowFault[] {
    const { steps, finally: last = [], inputs, output, lane = 'auto' } = this.workflow;
    const count = allSteps([...steps, ...last]).length;
    if (count > STEPS_MAX) this.add('steps', `are ${count} in all; at most ${STEPS_MAX} are allowed`);
    if (inputs !== undefined) this.checkInputs(inputs);
    this.checkSteps(steps, 'steps', new Set());
    this.checkSteps(last, 'finally', new Set());
    if (output !== undefined) this.checkTemplates(output, 'output', new Set(), false);
    this.checkLane(lane, [...steps, ...last]);
    return this.faults;
  }

  private add(path: string, message: string): void {
    this.faults.push({ path, message });
  }

  private checkInputs(inputs: Readonly<Record<string, unknown>>): void {
    const fault = faultOfSchema(inputs);
    if (fault !== undefined) this.add('inputs', fault);
    else if (inputs['type'] !== undefined && inputs['type'] !== 'object') this.add('inputs', 'must be the schema of an object');
    for (const name of this.inputs)
      if (!/^[a-z][a-z0-9_]{0,63}$/.test(name))
        this.add(`inputs.properties.${name}`, 'must be called by an identifier: a small letter, then up to 63 of a-z, 0-9 and _');
  }

  private checkLane(lane: string, steps: readonly Step[]): void {
    const possible = lanesOf(steps);
    const stuck = (wanted: string) => allSteps(steps).find((step) => !lanesOfStep(step).some((each) => each === wanted));
    if (possible.length === 0 || (lane !== 'auto' && !possible.some((each) => each === lane))) {
      const wanted = lane === 'auto' ? 'browser' : lane;
      this.add('lane', `can't be ${lane}: step ${stuck(wanted)?.id ?? ''} does not go there`);
    }
  }

  private checkSteps(steps: readonly Step[], path: string, loopNames: ReadonlySet<string>): void {
    steps.forEach((step, place) => {
      const at = `${path}.${place}`;
      this.checkStep(step, at, loopNames, steps);
      if (this.ids.has(step.id)) this.add(`${at}.id`, `"${step.id}" stands twice`);
      this.ids.add(step.id);
    });
  }

  private checkStep(step: Step, at: string, loopNames: ReadonlySet<string>, beside: readonly Step[]): void {
    const { on_error: onError = 'fail' } = step;
    if (onError.startsWith('goto:') && !beside.some(({ id }) => `goto:${id}` === onError))
      this.add(`${at}.on_error`, `goes to "${onError.slice('goto:'.length)}", and no step beside it has that id`);
    for (const [name, value] of Object.entries(step)) this.checkMember(step, name, value, `${at}.${name}`, loopNames);
    for (const [message, isWrong] of rulesOf(step)) if (isWrong) this.add(at, message);
    const inner = step.type === 'forEach' ? new Set([...loopNames, step.as ?? 'item', 'index']) : loopNames;
    if (step.type === 'if') {
      step.branches.forEach(({ when, body }, place) => {
        this.checkCondition(when, `${at}.branches.${place}.when`, loopNames);
        this.checkSteps(body, `${at}.branches.${place}.body`, loopNames);
      });
      if (step.else) this.checkSteps(step.else, `${at}.else`, loopNames);
    } else for (const body of bodiesOf(step)) this.checkSteps(body, `${at}.body`, inner);
  }

  private checkMember(step: Step, name: string, value: unknown, path: string, loopNames: ReadonlySet<string>): void {
    if (name === 'body' && Array.isArray(value)) return;
    if (name === 'branches' || name === 'else') return;
    if (name === 'when' || name === 'condition' || name === 'that' || name === 'success' || name === 'resume')
      this.checkCondition(value as Condition, path, loopNames);
    else if (name === 'selectors' || name === 'opener') this.checkSelectors(value, path);
    else if (name === 'fields' && step.type !== 'form' && step.type !== 'login')
      this.checkFields(value as Readonly<Record<string, FieldRule>>, path);
    else if (name === 'fields' && step.type === 'login')
      for (const [part, selectors] of Object.entries(value as object)) this.checkSelectors(selectors, `${path}.${part}`);
    else if (name === 'path' || name === 'secret_response_paths')
      for (const each of [value].flat()) this.attempt(path, () => checkJsonPath(String(each)));
    else if (name === 'schema') this.checkSchema(value, path);
    else if (name === 'wrapper')
      for (const { css } of (value as ListWrapper).selectors) this.attempt(`${path}.selectors`, () => void parseSelector(`css/${css}`));
    else if (!PLAIN.has(name)) this.checkTemplates(value, path, loopNames, SENT.test(name) && step.type !== 'setVar');
  }

  private checkSchema(value: unknown, path: string): void {
    const fault = faultOfSchema(value);
    if (fault !== undefined) this.add(path, fault);
  }

  private checkSelectors(value: unknown, path: string): void {
    for (const part of [value].flat(2)) this.attempt(path, () => void parseSelector(String(part)));
  }

  private checkFields(fields: Readonly<Record<string, FieldRule>>, path: string): void {
    for (const [name, rule] of Object.entries(fields)) {
      if (rule.selectors) this.checkSelectors(rule.selectors, `${path}.${name}.selectors`);
      const { path: jsonPath, regex } = rule;
      if (jsonPath?.startsWith('$')) this.attempt(`${path}.${name}.path`, () => checkJsonPath(jsonPath));
      if (regex !== undefined) this.attempt(`${path}.${name}.regex`, () => void compileRegex(patternOf(regex)));
    }
  }

  private checkCondition(condition: Condition, path: string, loopNames: ReadonlySet<string>): void {
    if ('all' in condition) return condition.all.forEach((one, place) => this.checkCondition(one, `${path}.all.${place}`, loopNames));
    if ('any' in condition) return condition.any.forEach((one, place) => this.checkCondition(one, `${path}.any.${place}`, loopNames));
    if ('not' in condition) return this.checkCondition(condition.not, `${path}.not`, loopNames);
    if ((condition.value === undefined) === (condition.page === undefined)) this.add(path, 'compares either "value" or "page"');
    if ((condition.with === undefined) !== (condition.op === 'exists'))
      this.add(path, `${condition.op} ${condition.op === 'exists' ? 'takes no' : 'needs a'} "with"`);
    this.checkTemplates(condition.value, `${path}.value`, loopNames, false);
    if (condition.op === 'schema') this.checkSchema(condition.with, `${path}.with`);
    else this.checkTemplates(condition.with, `${path}.with`, loopNames, false);
    if (condition.op === 'matches' && typeof condition.with === 'string' && !condition.with.includes('{{'))
      this.attempt(`${path}.with`, () => void compileRegex(patternOf(String(condition.with))));
    if (condition.page?.selectors) this.checkSelectors(condition.page.selectors, `${path}.page.selectors`);
    const jsonPath = condition.page?.path;
    if (jsonPath !== undefined && condition.page?.from !== 'headers') this.attempt(`${path}.page.path`, () => checkJsonPath(jsonPath));
  }

  private attempt(path: string, check: () => void): void {
    try {
      check();
    } catch (error) {
      if (!(error instanceof PageError)) throw error;
      this.add(path, `is wrong: ${error.message}`);
    }
  }

  /** Every text in `value` is a template. */
  private checkTemplates(value: unknown, path: string, loopNames: ReadonlySet<string>, isSent: boolean): void {
    if (typeof value === 'string') return this.checkTemplate(value, path, loopNames, isSent);
    if (Array.isArray(value)) return value.forEach((item, place) => this.checkTemplates(item, `${path}.${place}`, loopNames, isSent));
    if (isMembers(value))
      for (const [name, inner] of Object.entries(value)) this.checkTemplates(inner, `${path}.${name}`, loopNames, isSent);
  }

  private checkTemplate(template: string, path: string, loopNames: ReadonlySet<string>, isSent: boolean): void {
    try {
      const { paths, isSealed } = referencesOf(template);
      if (isSealed && !isSent) this.add(path, 'names a secret, which may only stand in what is sent: headers, bodies and fields');
      for (const parts of paths) {
        const fault = this.faultOfReference(parts, loopNames);
        if (fault !== undefined) this.add(path, fault);
      }
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      this.add(path, error.message);
    }
  }

  private faultOfReference([root = '', name]: readonly string[], loopNames: ReadonlySet<string>): string | undefined {
    if (loopNames.has(root)) return undefined;
    if (root === 'inputs')
      return name === undefined || this.inputs.has(name) ? undefined : `refers to the input "${name}"; there ${listOf(this.inputs)}`;
    if (root === 'vars')
      return name === undefined || this.variables.has(name)
        ? undefined
        : `refers to the variable "${name}"; there ${listOf(this.variables)}`;
    if (root === 'steps')
      return name !== undefined && this.ids.has(name) ? undefined : `refers to step "${name ?? ''}", and no step before it has that id`;
    return `refers to "${root}"; there are inputs, vars, steps${[...loopNames].map((each) => `, ${each}`).join('')}`;
  }
}

function listOf(names: ReadonlySet<string>): string {
  return names.size === 0 ? 'is none' : `are ${[...names].join(', ')}`;
}

/** What members of one step must be together. */
function rulesOf(step: Step): readonly (readonly [message: string, isWrong: boolean])[] {
  switch (step.type) {
    case 'request': {
      const bodies = [step.body, step.form, step.json, step.multipart].filter((body) => body !== undefined);
      const isBare = step.method === undefined || step.method === 'GET' || step.method === 'HEAD';
      return [
        ['has more than one of "body", "form", "json" and "multipart"', bodies.length > 1],
        [`is a ${step.method ?? 'GET'} request, which has no body`, isBare && bodies.length > 0],
      ];
    }
    case 'extractList': {
      const others = [step.selectors, step.path, step.fields].filter((each) => each !== undefined);
      return [
        ['has a "wrapper", which stands for "selectors", "path" and "fields"', step.wrapper !== undefined && others.length > 0],
        ['has a "wrapper", which is for "from": "html"', step.wrapper !== undefined && (step.from ?? 'html') !== 'html'],
      ];
    }
    case 'download':
      return [['needs either "url" or "selectors"', (step.url === undefined) === (step.selectors === undefined)]];
    case 'paginate':
      return [
        [`goes by ${step.mode} and needs "param"`, ['page_param', 'offset', 'cursor'].includes(step.mode) && step.param === undefined],
        [`goes by ${step.mode} and needs "path"`, ['cursor', 'next_url'].includes(step.mode) && step.path === undefined],
        ['goes by load_more and needs "selectors"', step.mode === 'load_more' && step.selectors === undefined],
      ];
    case 'click':
    case 'doubleClick':
      return [['has one of "offset_x" and "offset_y" without the other', (step.offset_x === undefined) !== (step.offset_y === undefined)]];
    default:
      return [];
  }
}
