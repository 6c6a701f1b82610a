import { html, type Html } from '../../platform/http/html.js';
import { document, fact, heading } from '../../platform/http/pages/shell.html.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import { owedInWords } from './charge-terms.api.js';
import type { PaymentPage } from './payment-page.api.js';
import { byPix, claim } from './payment-ways.queries.js';

interface Shown {
  charge: PaymentPage;
  token: string;
  siteUrl: string;
}

/** The page of a charge's link: readable without a script, which copies the code and sees the payment arrive. */
export async function paymentPage({ charge, token, siteUrl }: Shown): Promise<string> {
  const { title, description, body } = partsOf(charge);
  return document(
    { title, description, site: siteUrl },
    html`<main class="payment${charge.pix && ' wide'}" data-token="${token}" data-version="${charge.versao}">
        ${await body}
      </main>
      <p id="news" class="unseen" role="status"></p>`,
  );
}

/** A preview tells no more than the page: neither the code nor who is to pay. */
function partsOf(charge: PaymentPage) {
  const { personal, situacao, pago, pedido, descricao, pix, itens } = charge;
  if (situacao === 'paga' && itens)
    return {
      title: `Tudo pago · ${personal}`,
      description: 'Não há nada em aberto.',
      body: allPaid(charge),
    };
  if (situacao === 'paga')
    return {
      title: `Pagamento confirmado · ${personal}`,
      description: `Recebemos ${brl(pago)} · ${descricao}`,
      body: paid(charge),
    };
  if (situacao === 'cancelada')
    return {
      title: `Cobrança cancelada · ${personal}`,
      description: 'Não é preciso pagar.',
      body: cancelled(charge),
    };
  return {
    title: `${personal} · ${pix ? 'Pix' : 'Cobrança'} de ${brl(pedido)}`,
    description: `${descricao} · ${dueOf(charge)}`,
    body: due(charge),
  };
}

/** Since when it is due; of several with their own due dates, how much of it is overdue. */
function dueOf({ situacao, vencimento, pedido, itens = [] }: PaymentPage): string {
  const late = itens.filter(({ vencida }) => vencida).reduce((sum, { total }) => sum + total, 0);
  if (late > 0 && late < pedido) return `${brl(late)} já vencidos`;
  return `${situacao === 'vencida' ? 'Venceu' : 'Vence'} ${itens.length > 1 ? 'a partir de' : 'em'} ${shortDate(vencimento)}`;
}

function paid({ primeiro_nome, personal, pago, descricao, pagamentos }: PaymentPage): Html {
  return html`<div class="state paga">
      <p class="kicker">Pagamento confirmado</p>
      <h1 class="news" tabindex="-1">Recebemos ${brl(pago)}</h1>
      <p class="dim">
        ${primeiro_nome === null ? 'O' : `${primeiro_nome}, o`} pagamento chegou a ${personal}.
      </p>
    </div>
    <dl class="card facts">
      ${fact('Referente a', descricao)} ${fact('Quem recebeu', personal)} ${received(pagamentos)}
    </dl>
    ${pagamentos.some(({ recibo }) => recibo === null) && html`<p class="dim small">Se precisar de um recibo, peça a ${personal}.</p>`}`;
}

/** Of who pays for several, once nothing is open. */
function allPaid({ primeiro_nome, personal, pagamentos }: PaymentPage): Html {
  return html`<div class="state paga">
      <h1 class="news" tabindex="-1">Tudo pago</h1>
      <p class="dim">${primeiro_nome}, não há nada em aberto com ${personal}.</p>
    </div>
    ${pagamentos.length > 0 && html`<dl class="card facts">${received(pagamentos)}</dl>`}`;
}

/** Each payment, with its receipt where there is one. */
const received = (payments: PaymentPage['pagamentos']) =>
  payments.map(({ valor, data, recibo }) =>
    fact(
      `Recebido em ${shortDate(data)}`,
      html`${brl(valor)}${recibo !== null && html` · <a href="${recibo}">Ver recibo</a>`}`,
    ),
  );

function cancelled({ personal, descricao }: PaymentPage): Html {
  return html`<div class="state cancelada">
      <h1 class="news" tabindex="-1">Cobrança cancelada</h1>
      <p class="dim">Não é preciso pagar. Em caso de dúvida, fale com ${personal}.</p>
    </div>
    <dl class="card facts">${fact('Referente a', descricao)}</dl>`;
}

async function due(charge: PaymentPage): Promise<Html> {
  const {
    personal,
    primeiro_nome,
    valor,
    pago,
    falta,
    hoje,
    pedido,
    descricao,
    situacao,
    pagamentos,
    pix,
    adiante,
    itens = [],
  } = charge;
  const today = owedInWords(falta, hoje);
  const when =
    situacao === 'vencida'
      ? html`<span class="late">${dueOf(charge)}.</span>${pix && ' Ainda dá para pagar por aqui.'}`
      : dueOf(charge);
  return html`${heading(personal, primeiro_nome === null ? 'Olá!' : `Olá, ${primeiro_nome}!`, `${personal} enviou esta ${itens.length > 0 ? 'conta' : 'cobrança'}`)}
    <div class="card due">
      <p class="dim">${pago > 0 ? 'Falta pagar' : 'Valor'}</p>
      <p class="amount">${brl(pedido)}</p>
      <p>${descricao}</p>
      ${pedido < hoje.total && html`<p class="dim">É o sinal: ${brl(hoje.total - pedido)} ficam para depois.</p>`}
      <p class="dim">${when}</p>
      ${today !== '' && html`<p class="dim">${today}</p>`}
      ${adiante.map((words) => html`<p class="dim small">${words}</p>`)}
    </div>
    ${
      itens.length > 0 &&
      html`<dl class="card facts">
        ${itens.map((one) =>
          fact(
            `${one.aluno} · ${one.descricao}`,
            html`${brl(one.total)} ·
            ${one.vencida ? html`<span class="late">venceu em ${shortDate(one.vencimento)}</span>` : `vence em ${shortDate(one.vencimento)}`}`,
          ),
        )}
      </dl>`
    }
    ${
      pago > 0 &&
      html`<p class="notice news" tabindex="-1">
          Recebemos ${brl(pago)} de ${brl(valor)}. Falta pagar ${brl(falta)}.
        </p>
        ${pagamentos.some(({ recibo }) => recibo !== null) && html`<dl class="card facts">${received(pagamentos)}</dl>`}`
    }
    ${
      pix
        ? await byPix(pix, charge)
        : html`<p class="notice">Combine a forma de pagamento com ${personal}.</p>
            ${claim(charge)}`
    }`;
}
