// Makes a workflow of what a person did in pages.
import type { Step } from '@weft/contract';
import type { Element } from 'domhandler';
import { findPaging } from '../../extract/paging/paging.ts';
import { findRecordLists } from '../../records/detect.ts';
import { learnWrapper } from '../../records/wrapper.ts';
import { parseTree } from '../../html/tree.ts';
import type { PageTree } from '../../html/tree.ts';
import { elementsWithTemplates } from '../../html/walk.ts';
import { proposeInputs } from '../exchange/typed-values.ts';
import { literalTemplate } from '../exchange/untrusted.ts';
import type { LeftOut } from '../exchange/untrusted.ts';
import type { ElementPrint } from '../session.ts';
import { describeElement } from './element-selectors.ts';
import type { RecordedElement } from './element-selectors.ts';
import { foldLogin } from './fold-login.ts';
import type { Draft, SeenPage } from './fold-login.ts';
import { awaitLists, foldPages } from './fold-pages.ts';
import { LoginNotes } from './login-notes.ts';
import type { RecordedStep, Recording, ToldAct, ToldEvent } from './told.ts';

/** The attribute that marks the element of an act in its copy. */
const MARK = 'data-weft-node';
const STEPS_MAX = 200;
const BUTTONS = [undefined, 'middle', 'right'] as const;

/** Collects acts in the order in which they happened. */
export class Recorder {
  private steps: Draft[] = [];
  private readonly leftOut: LeftOut[] = [];
  private readonly prints: Record<string, ElementPrint> = {};
  private readonly inputs = proposeInputs();
  private readonly logins = new LoginNotes();
  /** Clicks on the way to the next page of the list that was marked before. */
  private readonly nextLinks = new Set<string>();
  private marks: { readonly act: ToldAct; readonly element: Element; readonly tree: PageTree }[] = [];
  private count = 0;

  add(event: ToldEvent): void {
    const before = this.steps.length;
    this.take(event);
    if ('html' in event) this.logins.note(event, this.steps.slice(0, before), this.steps[before]);
  }

  private take(event: ToldEvent): void {
    switch (event.kind) {
      case 'navigate':
        return void this.push('navigate', { url: literalTemplate(event.url) });
      case 'download':
        return this.toDownload(event.name);
      case 'dialog':
        return this.beforeLast(
          'dialog',
          { accept: true, ...(event.text ? { prompt_text: literalTemplate(event.text) } : {}) },
          `The dialog "${event.message.slice(0, 100)}" was accepted while recording, and is in runs.`,
        );
      case 'unheard':
        return this.leave(event.message);
      case 'mark':
        return this.mark(event);
      case 'key':
        this.push('keyDown', { key: event.key });
        return void this.push('keyUp', { key: event.key });
      case 'scroll':
        return this.scroll(event);
      case 'click':
      case 'doubleClick':
        return this.point(event);
      case 'change':
        return this.change(event);
      case 'upload':
        return this.upload(event);
    }
  }

  /** What was recorded until now; `last` is the page that is open in the end. */
  finish(name: string, last?: SeenPage): Recording {
    if (this.marks.length === 1) this.leave('One item of a list was marked, and two tell which list is meant.');
    this.marks = [];
    if (last) this.logins.end(last, this.steps.length);
    const { leftOut } = this;
    const made = awaitLists(foldPages(this.withLogin(), this.nextLinks));
    if (made.length > STEPS_MAX) this.leave(`A workflow has at most ${STEPS_MAX} steps; the rest is left out.`);
    // Every draft has the members of its type.
    const steps = made.slice(0, STEPS_MAX) as unknown as Step[];
    const text = JSON.stringify(steps);
    const inputs = this.inputs.schema((input) => text.includes(`{{inputs.${input}}}`));
    const workflow = steps.length === 0 ? undefined : { name: name.slice(0, 200), steps, ...(inputs ? { inputs } : {}) };
    const ids = new Set(steps.map(({ id }) => id));
    const prints = Object.fromEntries(Object.entries(this.prints).filter(([id]) => ids.has(id)));
    return { workflow, leftOut, prints };
  }

  /** The steps with a login as one of them, where it can be. */
  private withLogin(): readonly Draft[] {
    const { seen } = this.logins;
    if (!seen) return this.steps;
    const folded = foldLogin(this.steps, this.prints, seen);
    const where = shown(seen.form.url);
    if ('steps' in folded) {
      this.leave(`The login at ${where} is one step: it sends what the persona holds, and nothing while its session lasts.`);
      return folded.steps;
    }
    this.leave(`The login at ${where} stays as single steps, which log in at each run: ${folded.reason}.`);
    return this.steps;
  }

  /** The steps until now, without what stands in them. */
  get kinds(): readonly RecordedStep[] {
    return this.steps.map(({ id, type }) => ({ id, type }));
  }

  private push(type: Step['type'], members: Readonly<Record<string, unknown>>, print?: ElementPrint): string {
    this.count += 1;
    const id = `s${this.count}`;
    this.steps.push({ id, type, ...members });
    if (print) this.prints[id] = print;
    return id;
  }

  private leave(message: string): void {
    this.leftOut.push({ path: `steps.${this.steps.length}`, message });
  }

  /** A dialog is answered before the act that opens it. */
  private beforeLast(type: Step['type'], members: Readonly<Record<string, unknown>>, message: string): void {
    this.push(type, members);
    const [last] = this.steps.splice(-1, 1);
    const before = this.steps.at(-1);
    this.steps.splice(before?.type === 'click' || before?.type === 'doubleClick' ? -1 : this.steps.length, 0, ...(last ? [last] : []));
    this.leave(message);
  }

  /** The element of an act; undefined where it can't be told apart, which is said. */
  private elementOf(act: ToldAct): RecordedElement | undefined {
    const found = elementIn(act);
    const described = found && describeElement(found.element, found.tree);
    if (described && described.selectors.length > 0) return described;
    this.leave(
      `A ${act.kind} at ${shown(act.url)} is left out: ${found ? `nothing tells its <${found.element.name}> apart` : 'the document is too large to be read'}.`,
    );
    return undefined;
  }

  private point(act: ToldAct): void {
    const found = this.elementOf(act);
    if (!found) return;
    const { selectors, print } = found;
    if (act.isHost === true)
      this.leave(
        `What was clicked inside of <${print.tag}> at ${shown(act.url)} can't be seen: its shadow root is closed. The element itself is clicked.`,
      );
    const place = { ...placeOf(act), selectors };
    if (act.kind === 'doubleClick') this.dropClicks(selectors);
    const button = BUTTONS[act.button ?? 0];
    const isDrawn = print.tag === 'canvas' || act.isHost === true;
    const offset = isDrawn && act.offset ? { offset_x: act.offset.x, offset_y: act.offset.y } : {};
    const id = this.push(act.kind === 'click' ? 'click' : 'doubleClick', { ...place, ...(button ? { button } : {}), ...offset }, print);
    if (act.kind === 'click' && isNextLink(act)) this.nextLinks.add(id);
  }

  /** The two clicks of which a double click is made. */
  private dropClicks(selectors: readonly string[]): void {
    for (let times = 0; times < 2; times += 1) {
      const last = this.steps.at(-1);
      if (last?.type !== 'click' || String(last['selectors']) !== String(selectors)) return;
      this.steps.pop();
      delete this.prints[last.id];
    }
  }

  private change(act: ToldAct): void {
    const found = this.elementOf(act);
    if (!found) return;
    const { selectors, print } = found;
    const { value = '', isPassword, hints = [] } = act;
    const template =
      act.isChoice === true
        ? literalTemplate(value)
        : this.inputs.propose({ value, hints: [...(print.name ? [print.name] : []), ...hints], isPassword });
    const members = { ...placeOf(act), selectors, value: template };
    const last = this.steps.at(-1);
    // A field that is changed twice in a row keeps what it held in the end.
    if (last?.type === 'change' && String(last['selectors']) === String(selectors) && template === last['value']) return;
    this.push('change', members, print);
  }

  private upload(act: ToldAct): void {
    const found = this.elementOf(act);
    if (!found) return;
    const file = this.inputs.propose({ value: act.names?.[0] ?? 'file', hints: ['file'] });
    this.push('upload', { ...placeOf(act), selectors: found.selectors, file }, found.print);
    this.leave(`The file ${act.names?.join(', ') ?? ''} is left out: keep it as a file of the agent, and give its id as the input.`);
  }

  private scroll(act: ToldAct): void {
    const found = act.html === undefined ? undefined : this.elementOf(act);
    this.push('scroll', { ...placeOf(act), ...(found ? { selectors: found.selectors } : {}), x: act.x ?? 0, y: act.y ?? 0 }, found?.print);
  }

  /** The click that brought the file is what brings it again. */
  private toDownload(name: string): void {
    const last = this.steps.findLastIndex(({ type }) => type === 'click');
    const click = this.steps[last];
    if (!click) return this.leave(`The file ${name.slice(0, 100)} came by itself, and is left out.`);
    const { button: _button, offset_x: _x, offset_y: _y, ...members } = click;
    this.steps[last] = { ...members, type: 'download' };
  }

  private mark(act: ToldAct): void {
    const found = elementIn(act);
    if (!found) return this.leave('An item was marked in a document that is too large to be read.');
    const earlier = this.marks.filter((each) => each.act.url === act.url);
    this.marks = [...earlier, { act, ...found }];
    if (this.marks.length < 2) return;
    // Both are looked for in the newest copy: the earlier one by its path there.
    const { tree, element } = found;
    const others = earlier.flatMap((each) => sameIn(each.element, tree));
    const list = findRecordLists(tree).find(({ nodes, selector }) => {
      const itemOf = (inner: Element) => nodes.findIndex((item) => item.some((node) => holds(node, inner)));
      const own = itemOf(element);
      return selector !== undefined && own !== -1 && others.some((other) => ![-1, own].includes(itemOf(other)));
    });
    this.marks = [];
    if (!list?.selector) return this.leave(`The items that were marked at ${shown(act.url)} are no two of one list.`);
    // With the fields of its rows as they are called here: read anew on each page, other pages might call them otherwise.
    this.push('extractList', { wrapper: learnWrapper(tree, list) });
  }
}

function placeOf({ frame, target }: ToldAct): { readonly frame?: readonly number[]; readonly target?: string } {
  return { ...(frame.length > 0 ? { frame } : {}), ...(target === undefined ? {} : { target: literalTemplate(target) }) };
}

/** True for a click on what leads to the next page of the page it is on. */
function isNextLink(act: ToldAct): boolean {
  const found = act.frame.length === 0 ? elementIn(act) : undefined;
  const href = found?.element.attribs['href'];
  if (!found || href === undefined) return false;
  const address = URL.parse(href, found.tree.baseUrl)?.href;
  return address !== undefined && findPaging(found.tree).next[0] === address;
}

function elementIn({ html, url }: ToldAct): { readonly element: Element; readonly tree: PageTree } | undefined {
  if (html === undefined) return undefined;
  const tree = parseTree(html, url, { includeHidden: true });
  for (const element of elementsWithTemplates(tree.root)) {
    if (element.attribs[MARK] === undefined) continue;
    delete element.attribs[MARK];
    return { element, tree };
  }
  return undefined;
}

/** The element of another copy of the page that stands in the same place. */
function sameIn(element: Element, tree: PageTree): readonly Element[] {
  const wanted = pathOf(element);
  for (const each of elementsWithTemplates(tree.root)) if (each.name === element.name && pathOf(each) === wanted) return [each];
  return [];
}

function pathOf(element: Element): string {
  const steps: string[] = [];
  for (let at: Element['parent'] | Element = element; at && 'name' in at; at = at.parent)
    steps.push(`${at.name}${at.parent?.children.indexOf(at) ?? 0}`);
  return steps.join('/');
}

function holds(outer: Element, inner: Element): boolean {
  for (let at: Element['parent'] | Element = inner; at; at = at.parent) if (at === outer) return true;
  return false;
}

function shown(url: string): string {
  const { origin, pathname } = URL.parse(url) ?? { origin: url, pathname: '' };
  return `${origin}${pathname}`.slice(0, 200);
}
