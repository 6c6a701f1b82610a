import { html, type Html } from '../../platform/http/html.js';
import { document, fact } from '../../platform/http/pages/shell.html.js';
import { brl, exactMoment, shortDate } from '../../platform/portuguese.js';
import type { VerifiedReceipt } from '../receipts/receipts.queries.js';
import { plural } from '../../platform/plural.api.js';
import { outcomeNames } from '../seals/seals.api.js';
import type { Verification } from './contracts.api.js';
import { pageFailures } from '../../platform/http/pages/page-failures.html.js';
import type { VerifiedEntry } from './sealed-entry.queries.js';

interface Result {
  title: string;
  text: string;
  facts: readonly Html[];
}

/** The page that verifies a document: by its code also without a script, which is needed to verify a file on the device. */
export function verifyPage({ code = '', result = null as Result | null, siteUrl = '' }): string {
  return document(
    {
      title: result?.title ?? 'Verificar documento',
      description:
        result?.text ??
        'Confira se um contrato assinado, um recibo, um dossiê ou o lacre de um extrato é verdadeiro.',
      site: siteUrl,
    },
    html`<main>
      <h1>Verificar documento</h1>
      <div id="result" role="status">${result && shown(result)}</div>
      ${codeForm(code)}
      <div id="drop" class="drop">
        <p class="dim">
          Ou solte aqui o PDF do contrato assinado, do recibo ou do dossiê. Ele é conferido neste aparelho e
          não é enviado.
        </p>
        <label class="button quiet"
          >Escolher PDF<input type="file" accept="application/pdf" disabled
        /></label>
        <div id="said" role="alert"></div>
        <noscript><p class="notice">Para conferir um PDF, ative o JavaScript deste navegador.</p></noscript>
      </div>
      <template id="altered"
        >${shown({
          title: 'Arquivo alterado',
          text: 'O código é de um contrato assinado, mas este arquivo não é igual ao original.',
          facts: [],
        })}</template
      >
      <template id="unknown"
        >${shown({
          title: 'Arquivo desconhecido',
          text: 'Este arquivo não é a cópia de nenhum contrato assinado nem um recibo ou dossiê emitido aqui.',
          facts: [],
        })}</template
      >
    </main>`,
  );
}

const codeForm = (code: string) =>
  html`<form action="/verificar" method="get" class="fields">
    <label
      >Código de verificação<input
        name="codigo"
        value="${code}"
        placeholder="XXXX-XXXX-XXXX-XXXX"
        maxlength="40"
        autocomplete="off"
        required
    /></label>
    <button type="submit" class="full">Verificar</button>
  </form>`;

const shown = ({ title, text, facts }: Result) =>
  html`<div class="state">
      <h2>${title}</h2>
      <p class="dim">${text}</p>
    </div>
    ${facts.length > 0 && html`<dl class="card facts">${facts}</dl>`}`;

const results: Record<Verification['resultado'], [title: string, text: string]> = {
  valido: ['Assinatura válida', 'Confere com um contrato assinado.'],
  retirado: ['Assinatura cancelada', 'Quem assinou desistiu do contrato no prazo de 7 dias.'],
  sem_responsavel: [
    'Assinatura incompleta',
    'Falta a assinatura do responsável: quem assinou tinha menos de 18 anos.',
  ],
  substituido: ['Assinatura substituída', 'Uma versão mais nova deste contrato foi assinada depois.'],
};

export function signatureResult(found: Verification & { timezone: string }): Result {
  const { resultado, iniciais, versao, assinado_em, carimbo_em, timezone } = found;
  const [title, text] = results[resultado];
  const moment = (at: string) => exactMoment(at, timezone);
  return {
    title,
    text,
    facts: [
      fact('Assinado por', iniciais),
      fact('Quando', moment(assinado_em)),
      fact('Versão', String(versao)),
      ...(carimbo_em === null ? [] : [fact('Carimbo do tempo', `${moment(carimbo_em)} (RFC 3161)`)]),
      fact('SHA-256 do conteúdo', hash(found.conteudo_hash)),
      fact('Posição no registro', String(found.posicao)),
      fact('SHA-256 do registro', hash(found.evento_hash)),
    ],
  };
}

export function receiptResult({ resultado, numero, valor, data, iniciais, varias }: VerifiedReceipt): Result {
  const facts = [
    fact('Número', String(numero)),
    fact('Valor', brl(valor)),
    fact('Data do pagamento', shortDate(data)),
    fact('Quem pagou', iniciais),
  ];
  return resultado === 'valido'
    ? {
        title: 'Recibo válido',
        text: 'O código confere com um recibo emitido. Compare o valor e a data com a sua cópia.',
        facts,
      }
    : {
        title: 'Recibo cancelado',
        text: `O pagamento${varias ? ', ou uma parte dele,' : ''} foi estornado: este recibo não tem mais validade.`,
        facts,
      };
}

/** What the log says of an entry that a statement, a receipt or a dossier carries, or of the newest one that a mailed seal holds: no names. */
export function entryResult(found: VerifiedEntry): Result {
  const { entry, timezone, recordedAt, position, sealedOn, check } = found;
  const facts = [
    fact('Registrado em', exactMoment(recordedAt, timezone)),
    fact('Posição no registro', String(position)),
    fact('SHA-256 do registro', hash(found.hash)),
    fact('Lacre', sealedOn ? `Do dia ${shortDate(sealedOn)}` : 'Ainda não: é feito de madrugada'),
    ...(check ? [fact('Histórico verificado em', checked(check, timezone))] : []),
  ];
  if (!entry)
    return {
      title: 'Registro alterado',
      text: 'O que este código diz foi mudado depois de registrado. Não confie no documento.',
      facts,
    };
  if (entry.kind === 'dossier')
    return {
      title: 'Registro do dossiê confere',
      text: 'O registro mais novo deste dossiê está no histórico e não foi mudado depois. Isto não confere o texto do PDF: se ele é o original, um leitor de PDF mostra pela assinatura digital.',
      facts,
    };
  if (entry.kind === 'head')
    return {
      title: 'Registro do lacre confere',
      text: 'O último registro deste lacre está no histórico e não foi mudado depois. Para o histórico inteiro, o personal usa Verificar integridade.',
      facts,
    };
  if (entry.kind === 'month') {
    const { month, recebido, gasto, isNewest } = entry;
    return {
      title: isNewest ? 'Mês em dia' : 'O mês mudou depois',
      text: isNewest
        ? 'Nada foi lançado nem estornado neste mês depois. Compare os valores com a sua cópia.'
        : 'Houve lançamentos ou estornos neste mês depois. Os valores abaixo são os de quando a cópia foi feita.',
      facts: [
        fact('Mês', `${month.slice(5)}/${month.slice(0, 4)}`),
        fact('Recebido', brl(recebido)),
        fact('Despesas', brl(gasto)),
        ...facts,
      ],
    };
  }
  if (entry.kind === 'payment') {
    const { valor, data, vale } = entry;
    return {
      ...paymentResult(valor, vale),
      facts: [fact('Valor', brl(valor)), fact('Data do pagamento', shortDate(data)), ...facts],
    };
  }
  const { balance, isNewest, expiredSince } = entry;
  return {
    title: isNewest ? 'Extrato em dia' : 'Extrato antigo',
    text: isNewest
      ? 'Nada foi lançado neste extrato depois. Compare o saldo com a sua cópia.'
      : 'Houve lançamentos depois deste. Peça um extrato novo para saber o saldo de hoje.',
    facts: [
      fact('Saldo', plural(balance, 'crédito', 'créditos')),
      ...(expiredSince > 0 ? [fact('Vencidos depois', plural(expiredSince, 'crédito', 'créditos'))] : []),
      ...facts,
    ],
  };
}

function paymentResult(valor: number, vale: number) {
  if (vale === valor)
    return {
      title: 'Pagamento registrado',
      text: 'O pagamento está no registro e não foi estornado. Compare o valor e a data com a sua cópia.',
    };
  return vale === 0
    ? { title: 'Pagamento estornado', text: 'Este pagamento foi estornado: não tem mais validade.' }
    : {
        title: 'Pagamento estornado em parte',
        text: `Uma parte deste pagamento foi estornada. Continuam valendo ${brl(vale)}.`,
      };
}

const checked = ({ at, outcome }: NonNullable<VerifiedEntry['check']>, zone: string) =>
  `${exactMoment(at, zone)}: ${outcomeNames[outcome]}`;

const hash = (hex: string) => html`<span class="mono">${hex}</span>`;

const unknown: Readonly<Record<string, string>> = {
  'receipts.code_not_found': 'Nenhum recibo tem este código.',
  'contracts.seal_not_found': 'Nenhum extrato, recibo, mês, dossiê ou e-mail tem este lacre.',
};

/** An unknown code can be corrected where it is said that it is unknown. */
export const verifyFailures = pageFailures('/verificar', ({ code }, path) => ({
  status: 404,
  title: 'Código desconhecido',
  detail: `Confira o código. ${unknown[code] ?? 'Nenhuma assinatura tem este código.'}`,
  action: codeForm(/^\/verificar\/([\w-]{1,40})$/.exec(path)?.[1] ?? ''),
}));
