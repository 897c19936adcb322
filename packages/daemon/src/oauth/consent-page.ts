// The pages that a person sees who is asked to let a program in. They hold no script, and nothing of them can be framed.
import type { Outgoing } from '@weft/serve';

/** What the page asks about. */
export interface Asked {
  readonly requestId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly resource: string;
}

/** The form; `wrong` after a code that is not good. */
export function consentPage({ requestId, clientName, redirectUri, resource }: Asked, wrong: boolean): Outgoing {
  return page(
    wrong ? 403 : 200,
    'Let a program in?',
    `<p><strong>${escape(clientName)}</strong> asks to run the workflows, monitors and crawls of this agent, and to read what its own runs bring.</p>
<p>It says so of itself; nobody has checked it. If you did not just ask for this in a program of yours, deny it.</p>
<dl><dt>It will be answered at</dt><dd>${escape(redirectUri)}</dd><dt>It will call</dt><dd>${escape(resource)}</dd><dt>For</dt><dd>30 days after its last use, or until <code>weft oauth revoke</code></dd></dl>
<form method="post" action="/oauth/authorize">
<input type="hidden" name="request" value="${escape(requestId)}">
<p><label for="code">Code that <code>weft oauth approve</code> prints in your terminal</label>
<input id="code" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" autofocus maxlength="20"${wrong ? ' aria-invalid="true" aria-describedby="wrong"' : ''}></p>
${wrong ? '<p id="wrong" role="alert">This code is not good. Run <code>weft oauth approve</code> again and type what it prints; after five wrong ones a code is dead.</p>' : ''}
<p><button name="decision" value="approve">Let it in</button> <button name="decision" value="deny">Deny</button></p>
</form>`,
  );
}

/** For a request that nobody may be sent back with. */
export function refusalPage(sentence: string): Outgoing {
  return page(400, 'This request can’t be answered', `<p>${escape(sentence)}</p><p>Go back to the program that sent you here.</p>`);
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}' +
  'dt{font-weight:600}dd{margin:0 0 .5rem;overflow-wrap:anywhere}label{display:block}input,button{font:inherit;padding:.5rem}[role=alert]{color:#a40000}' +
  '@media (prefers-color-scheme:dark){body{color:#eee;background:#161616}[role=alert]{color:#ff8a80}}';

function page(status: number, title: string, body: string): Outgoing {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // The form is sent to us and its answer leads to the program, which is at http on this machine.
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self' http:; frame-ancestors 'none'; base-uri 'none'",
      'x-frame-options': 'DENY',
      // With less of it, browsers send the form with the Origin `null`.
      'referrer-policy': 'same-origin',
    },
    body: `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n<title>${title} · Weft</title>\n<style>${STYLE}</style>\n<h1>${title}</h1>\n${body}\n</html>\n`,
  };
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
