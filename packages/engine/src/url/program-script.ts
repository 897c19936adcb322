// Addresses of scripts that answer programs: what they say, pages say for readers.

const SCRIPT = /\/(?:api|rest|rpc|jsonrpc|xmlrpc|soap|graphql|webservice|ajax)\.(?:php\d?|aspx?|asmx|jsp|cgi|pl)$/i;

/** The script, where `url` asks one that by its name answers programs for something; undefined for all other addresses. */
export function findProgramScript(url: string): string | undefined {
  const mark = url.indexOf('?');
  if (mark < 0 || mark === url.length - 1) return undefined;
  const path = url.slice(0, mark);
  return SCRIPT.test(path) ? path.slice(path.lastIndexOf('/') + 1) : undefined;
}
