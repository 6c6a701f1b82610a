import { html } from '../../platform/http/html.js';
import { DEAD_LINK, pageFailures } from '../../platform/http/pages/page-failures.html.js';
import { document, heading } from '../../platform/http/pages/shell.html.js';
import { dayAndTime, firstName } from '../../platform/portuguese.js';
import type { OpenInvite } from './invites.queries.js';

interface Shown {
  /** Its page shows the first name alone. */
  invite: OpenInvite;
  token: string;
  siteUrl: string;
}

/** The page of an invite, which leads into the application: to a new account, or to one that there is. */
export function invitePage({
  invite: { personal, nome, alunos, expiresAt, timezone },
  token,
  siteUrl,
}: Shown): string {
  const accept = `/aceitar/${token}`;
  const primeiro_nome = firstName(nome);
  const whose = alunos === null ? 'suas aulas' : `as aulas de ${new Intl.ListFormat('pt-BR').format(alunos)}`;
  return document(
    {
      title: `${personal} convidou você`,
      description: `Convite para ${primeiro_nome} · Crie sua conta para agendar ${whose}`,
      site: siteUrl,
    },
    html`<main>
      ${heading(personal, `${personal} convidou você`, `Convite para ${primeiro_nome}`)}
      <p>
        ${
          alunos === null
            ? 'Crie sua conta para agendar suas aulas, ver seus créditos e pagar suas cobranças.'
            : `Crie sua conta para agendar ${whose}, ver os créditos e pagar as cobranças.`
        }
      </p>
      <p><a class="button full" href="${accept}">Aceitar convite</a></p>
      <p>
        <a class="button quiet full" href="/auth?${new URLSearchParams({ destino: accept }).toString()}"
          >Já tenho conta</a
        >
      </p>
      <p class="dim small">Este convite é de uso único, válido até ${dayAndTime(expiresAt, timezone)}.</p>
    </main>`,
  );
}

export const inviteFailures = pageFailures('/convite', ({ code }, path) =>
  code === 'invites.used'
    ? {
        status: 409,
        title: 'Este convite já foi usado',
        detail: 'Entre com a sua conta para ver suas aulas.',
        // Leads whoever accepted it to the page of its student, at once where they are signed in.
        action: html`<a class="button" href="/aceitar/${path.split('/')[2] ?? ''}">Entrar</a>`,
      }
    : {
        ...DEAD_LINK,
        title: 'Convite inválido ou expirado',
        action: html`<a id="onward" class="button quiet" href="/auth">Ir para o login</a>`,
      },
);
