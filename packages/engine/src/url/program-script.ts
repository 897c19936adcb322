// Addresses that answer programs: what they say, pages say for readers.

const SCRIPT = /\/(?:api|rest|rpc|jsonrpc|xmlrpc|soap|graphql|webservice|ajax)\.(?:php\d?|aspx?|asmx|jsp|cgi|pl)$/i;
/** A parameter by which a page's own scripts ask for a part of it: `ajax_request=1`, `is_ajax=true`. With another value it may name a thing. */
const ASKED_BY_SCRIPT = /[?&;]((?:is_?)?(?:ajax|xhr|pjax)(?:[-_]?(?:request|call|mode|load|page_?request))?)=(?:1|true|yes|on)(?=[&;#]|$)/i;

/** The script or the parameter, where `url` asks what by its name answers programs for something; undefined for all other addresses. */
export function findProgramScript(url: string): string | undefined {
  const mark = url.indexOf('?');
  if (mark < 0 || mark === url.length - 1) return undefined;
  const path = url.slice(0, mark);
  if (SCRIPT.test(path)) return path.slice(path.lastIndexOf('/') + 1);
  const parameter = ASKED_BY_SCRIPT.exec(url.slice(mark))?.[1];
  return parameter && `?${parameter}`;
}
