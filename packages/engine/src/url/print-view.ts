// Addresses that name, by a parameter, the page for a printer or for AMP: the same page once more.

const FLAGS = /^(?:print|printable|printview|printpage|printer_?friendly|print_?friendly|amp)$/i;
/** Parameters that choose a form; `format` and `type` choose among goods as often. */
const FORMS = /^(?:output|view|layout|mode|action|do|tpl|template|display|outputtype)$/i;
const PRINT = /^(?:print|printable|printview|printpage|print_?version|printer|printer_?friendly|print_?friendly|amp)$/i;
const YES = /^(?:|1|y|yes|true|on|print)$/i;

/** The parameter that asks for the page in another form, such as `print=1`; undefined in all other addresses. */
export function findPrintView(url: string): string | undefined {
  const mark = url.indexOf('?');
  if (mark < 0 || !/[?&;=](?:print|amp)/i.test(url.slice(mark))) return undefined;
  const pairs = (url.slice(mark + 1).split('#', 1)[0] ?? '').split(/[&;]/);
  return pairs.find((pair) => {
    const [name = '', value = ''] = pair.split('=', 2);
    return (FLAGS.test(name) && YES.test(value)) || (FORMS.test(name) && PRINT.test(value));
  });
}
