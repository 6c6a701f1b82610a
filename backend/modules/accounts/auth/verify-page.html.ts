import { html } from '../../../platform/http/html.js';

/** What the button of each kind of link says. */
const buttons = new Map([
  ['signup', 'Confirmar minha conta'],
  ['recovery', 'Criar nova senha'],
  ['email_change', 'Confirmar o e-mail'],
]);

/**
 * The page of a mail's link. Programs that check mails open all links, and would use this one up: only its button does, by POST.
 */
export function verifyPage(fields: { token: string; type: string; redirect_to: string | undefined }): string {
  const inputs = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}" />`],
  );
  const style = `:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;
background:light-dark(#f4f5fa,#0f1117);color:light-dark(#16181f,#eceef5);font:16px/1.5 system-ui,sans-serif}
main{box-sizing:border-box;width:100%;max-width:420px;padding:32px 24px;text-align:center}
h1{margin:0 0 8px;font-size:24px}p{margin:0 0 24px;color:light-dark(#5a6072,#a5abbd)}
button{width:100%;min-height:52px;border:0;border-radius:14px;background:#4f5dff;color:#fff;font:600 17px system-ui,sans-serif;cursor:pointer}
button:focus-visible{outline:3px solid light-dark(#16181f,#fff);outline-offset:3px}`;
  return html`<!doctype html>
    <html lang="pt-BR">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="robots" content="noindex" />
        <title>Rende</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <main>
          <h1>Falta só um toque</h1>
          <p>Toque no botão para continuar no Rende.</p>
          <form method="post" action="/auth/v1/verify/link">
            ${inputs}<button>${buttons.get(fields.type) ?? 'Entrar no Rende'}</button>
          </form>
        </main>
      </body>
    </html> `.text;
}
