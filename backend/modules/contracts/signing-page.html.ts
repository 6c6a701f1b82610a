import { html, Html } from '../../platform/http/html.js';
import { countryChoice, document, heading } from '../../platform/http/pages/shell.html.js';
import { exactMoment, shortDate, weekdayAndTime } from '../../platform/portuguese.js';
import { dateOf } from '../../platform/local-time.js';
import { formatCpf } from '../students/cpf.api.js';
import { phoneCountries } from '../students/phone-abroad.api.js';
import { formatPhone } from '../students/phone-format.api.js';
import { guardianRole, roleInWords } from './age.api.js';
import { closings } from './closed-requests.api.js';
import { consents, consentsOf, type Signable } from './contracts.api.js';
import { replaceFields, WITHOUT_CPF } from './merge-fields.api.js';

interface Shown {
  contract: Signable;
  token: string;
  /** Of the trainer. */
  timezone: string;
  /** In that zone. */
  today: string;
  siteUrl: string;
}

type Signed = Signable & { prova: NonNullable<Signable['prova']> };

/** The page of a signing link: the text is readable without a script, which sends the signature and shows changes. */
export function signingPage(shown: Shown): string {
  const { contract, token, today, siteUrl } = shown;
  const { title, description, body } = partsOf(shown);
  return document(
    { title, description, site: siteUrl },
    html`<main
        class="signing"
        data-token="${token}"
        data-estado="${contract.estado}"
        data-papel="${contract.papel_responsavel}"
        data-today="${today}"
      >
        ${body}
      </main>
      <p id="news" class="unseen" role="status"></p>`,
  );
}

/** A preview tells no more than the page. */
function partsOf(shown: Shown): { title: string; description: string; body: Html } {
  const { contract } = shown;
  const { estado, prova, personal, titulo } = contract;
  if (estado === 'enviado' || estado === 'aberto')
    return {
      title: `${personal} · ${titulo}`,
      description: 'Você vai assinar: 2 minutos.',
      body: open(shown),
    };
  const { title, way = '' } = estado === 'assinado' ? { title: 'Contrato assinado' } : closings[estado];
  const parts = { title: `${title} · ${personal}`, description: titulo };
  if (prova && contract.pede_cpf)
    return { ...parts, body: veiled({ ...contract, prova }, shown, title, way) };
  if (prova) return { ...parts, body: signed({ ...contract, prova }, shown, title, way) };
  return {
    ...parts,
    body: html`${state(contract, title, way)}
      <div id="said" role="alert"></div>
      ${contract.conteudo && textOf(contract)}`,
  };
}

const state = ({ titulo, personal }: Signable, title: string, way: string) =>
  html`<div class="state">
    <h1 class="news" tabindex="-1">${title}</h1>
    <p>${way}</p>
    <p class="dim">“${titulo}”, enviado por ${personal}</p>
  </div>`;

/**
 * The sanitised text, with its headings below the page's own, and links that open in a new tab. Until it is signed, a line stands
 * for the CPF, which the script fills in as it is typed.
 */
function textOf({ conteudo }: Signable): Html {
  const levels = ['h1', 'h2', 'h3'].filter((level) => conteudo.includes(`<${level}>`));
  const shown = replaceFields(conteudo, (field) =>
    field === 'cpf' ? `<span class="cpf">${WITHOUT_CPF}</span>` : undefined,
  )
    .replace(/<(\/?)(h[1-3])>/g, (_, end: string, level: string) => `<${end}h${levels.indexOf(level) + 2}>`)
    .replaceAll('<a href=', '<a target="_blank" rel="noopener noreferrer" href=');
  return html`<section class="card paper" aria-label="Texto do contrato">${new Html(shown)}</section>`;
}

interface FieldOptions {
  more?: Html;
  value?: string | null;
}

const field = (name: string, label: string, { more, value }: FieldOptions = {}) =>
  html`<label>${label}<input name="${name}" ${more ?? html`autocomplete="off"`} value="${value}" /></label>`;

const numeric = (placeholder: string) =>
  html`inputmode="numeric" autocomplete="off" placeholder="${placeholder}"`;
const ofCpf = numeric('000.000.000-00');
const ofDate = numeric('dd/mm/aaaa');

function open({ contract, timezone }: Shown): Html {
  const { personal, titulo, papel_responsavel: role, aluno, codigo_email } = contract;
  const isOfStudent = contract.responsavel || role !== null;
  return html`${heading(personal, `Você vai assinar “${titulo}”: 2 minutos`, `Enviado por ${personal}`)}
    <p><strong>Aguardando Assinatura</strong></p>
    <p class="dim">O link expira ${weekdayAndTime(contract.expires_at, timezone)}.</p>
    ${role && html`<p class="notice">${roleInWords[role]}</p>`} ${textOf(contract)}
    <div id="end"></div>
    <h2>Seus dados</h2>
    <form id="sign" class="fields" novalidate>
      ${field('nome', isOfStudent ? 'Nome completo do aluno *' : 'Nome completo *', {
        more: html`autocomplete="name"`,
        value: aluno?.nome ?? null,
      })}
      ${
        contract.responsavel &&
        field('nascimento', 'Data de nascimento do aluno *', {
          more: html`inputmode="numeric" autocomplete="bday" placeholder="dd/mm/aaaa"`,
        })
      }
      ${field('cpf', isOfStudent ? 'CPF do aluno *' : 'CPF *', { more: ofCpf })}
      ${
        isOfStudent &&
        html`<div id="guardian" role="group" aria-labelledby="guardian-title" ${role ? null : html`hidden`}>
          <h3 id="guardian-title">Responsável</h3>
          <p id="role" class="dim">${role && roleInWords[role]}</p>
          ${field('responsavel/nome', 'Nome completo do responsável *')}
          ${field('responsavel/cpf', 'CPF do responsável *', { more: ofCpf })}
          ${field('responsavel/nascimento', 'Data de nascimento do responsável *', { more: ofDate })}
          ${field('responsavel/relacao', 'Relação com o aluno *', {
            more: html`autocomplete="off" placeholder="Mãe, pai, tutor"`,
          })}
        </div>`
      }
      <div class="phone">
        ${field('telefone', 'Telefone *', {
          more: html`type="tel" inputmode="tel" autocomplete="tel" placeholder="(11) 99999-9999"`,
        })}${countryChoice(phoneCountries)}
      </div>
      ${codigo_email && mailedCode(codigo_email)} ${consent('consent_data_processing', consents.dados)}
      ${consent('consent_terms', consents.termos, html`<input type="hidden" name="consentimento" value="${consents.versao}" />`)}
      <p class="dim small">${consents.metodo}</p>
      <p class="dim small">
        Ficam registrados a data e a hora, o endereço IP sem a parte final e o navegador.
      </p>
      <p id="offline" class="notice" hidden>
        <strong>Sem internet</strong><br />Você pode ler o texto. Para assinar, é preciso estar conectado.
      </p>
      <p id="missing" class="dim" role="status"></p>
      <div id="said" role="alert"></div>
      <button type="submit" class="button full" disabled>Assinar contrato</button>
      <noscript><p class="notice">Para assinar, ative o JavaScript deste navegador.</p></noscript>
    </form>
    <details>
      <summary>Recusar</summary>
      <form id="decline" class="fields" novalidate>
        <label>Motivo *<textarea name="motivo" rows="3" maxlength="500"></textarea></label>
        <button type="submit" class="danger" disabled>Recusar contrato</button>
      </form>
    </details>`;
}

const consent = (name: string, text: string, more: Html | null = null) =>
  html`<label class="check"><input type="checkbox" name="${name}" /><span>${text}</span>${more}</label>`;

/** A second proof of who signs. */
function mailedCode({ para, enviado }: NonNullable<Signable['codigo_email']>): Html {
  if (para === null)
    return html`<p class="notice" id="code">
      Este contrato pede um código por e-mail, e não há e-mail no seu cadastro. Peça ao seu personal para
      incluir.
    </p>`;
  return html`<div id="code">
    <p id="code-note" class="dim" ${enviado ? html`hidden` : null}>
      Para assinar, confirme um código de 6 dígitos que vai para ${para}.
    </p>
    <div id="typing" ${enviado ? null : html`hidden`}>
      <p class="dim">Enviamos um código de 6 dígitos para ${para}.</p>
      ${field('codigo', 'Código do e-mail', {
        more: html`inputmode="numeric" autocomplete="one-time-code" maxlength="6"`,
      })}
      <button type="button" id="confirm-code" class="button quiet full" disabled>Confirmar código</button>
    </div>
    <button type="button" id="send-code" class="button quiet full" disabled>
      ${enviado ? 'Enviar outro código' : 'Enviar código'}
    </button>
    <p id="code-said" role="status" tabindex="-1"></p>
  </div>`;
}

/** Asks for the signer's CPF before a link shows what was signed. */
function veiled({ prova, ...contract }: Signed, { timezone }: Shown, title: string, way: string): Html {
  const wishes = prova.desistir_ate ? 'ler o texto, baixar o PDF ou desistir' : 'ler o texto e baixar o PDF';
  return html`${state({ ...contract, prova }, title, way)}
    <p>
      Assinado em ${exactMoment(prova.assinado_em, timezone)}. Para ${wishes}, informe o CPF de quem assinou.
    </p>
    <form id="read" class="fields" novalidate>
      ${field('cpf', 'CPF de quem assinou *', { more: ofCpf })}
      <div id="said" role="alert"></div>
      <button type="submit" class="button full" disabled>Ver contrato</button>
      <noscript><p class="notice">Para ver o contrato, ative o JavaScript deste navegador.</p></noscript>
    </form>`;
}

/** Who signed, when and from where, and how to verify it. */
function signed(contract: Signed, { timezone, token, siteUrl }: Shown, title: string, way: string): Html {
  const { prova, titulo, versao, estado } = contract;
  const moment = (instant: string) => exactMoment(instant, timezone);
  const { responsavel, codigo } = prova;
  const guardian = responsavel?.nome ?? null;
  const isBeside =
    guardianRole(prova.nascimento, dateOf(new Date(prova.assinado_em), timezone)) === 'assiste';
  const [first] = (guardian !== null && !isBeside ? guardian : (prova.nome ?? '')).split(' ');
  const agreed = consentsOf(prova.consentimento);
  const mail = new URLSearchParams({
    subject: `Contrato assinado: ${titulo}`,
    body: `Para abrir, informe o CPF de quem assinou: ${siteUrl}/assinar/${token}`,
  });
  return html`${estado === 'assinado' ? state(contract, `Pronto, ${first}.`, title) : state(contract, title, way)}
    <h2>Sua via</h2>
    <div class="ways">
      <form id="pdf" data-name="contrato-${codigo}.pdf" data-made="${String(prova.tem_pdf)}" novalidate>
        <button type="submit" class="button" disabled>
          ${prova.tem_pdf ? 'Baixar PDF' : 'Preparando o PDF…'}
        </button>
      </form>
      <a class="button quiet" href="mailto:?${mail.toString().replaceAll('+', '%20')}"
        >Mandar o link por e-mail</a
      >
    </div>
    <div id="said" role="alert"></div>
    ${textOf(contract)}
    <details>
      <summary>Evidências da assinatura</summary>
      <dl class="facts">
        ${fact(guardian !== null && !isBeside ? 'Aluno' : 'Assinado por', prova.nome)}
        ${fact('CPF', prova.cpf && formatCpf(prova.cpf))}
        ${fact('Telefone', prova.telefone && formatPhone(prova.telefone))}
        ${fact('Nascimento', prova.nascimento && shortDate(prova.nascimento))}
        ${fact(
          isBeside ? 'Assinado também por' : 'Assinado por',
          guardian && `${guardian}, responsável (${responsavel?.relacao})`,
        )}
        ${fact('CPF do responsável', guardian && formatCpf(responsavel?.cpf ?? ''))}
        ${fact('Código por e-mail', prova.codigo_confirmado_em && moment(prova.codigo_confirmado_em))}
        ${fact('Quando', moment(prova.assinado_em))} ${fact('Versão', String(versao))}
        ${fact('Endereço IP', prova.ip_address)} ${fact('Navegador', prova.navegador)}
        ${fact('SHA-256 do conteúdo', prova.conteudo_hash)} ${fact('Sal do SHA-256', prova.sal)}
        ${fact('Código de verificação', html`<a href="/verificar/${codigo}">${codigo}</a>`)}
      </dl>
      ${
        agreed &&
        html`<h3>Declarações aceitas (textos de ${shortDate(prova.consentimento)})</h3>
          ${[agreed.dados, agreed.termos, agreed.metodo].map((text) => html`<p class="dim small">${text}</p>`)}`
      }
    </details>
    ${
      prova.desistir_ate &&
      html`<details>
        <summary>Desistir do contrato</summary>
        <form id="withdraw" novalidate>
          <p class="dim">Você pode desistir até ${moment(prova.desistir_ate)} (CDC, art. 49).</p>
          <p>
            A assinatura deixa de valer. Para voltar atrás, seu personal envia o contrato de novo e você
            assina outra vez.
          </p>
          <button type="submit" class="danger" disabled>Confirmar a desistência</button>
        </form>
      </details>`
    }`;
}

const fact = (name: string, value: string | Html | null) =>
  value === null || value === ''
    ? null
    : html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`;
