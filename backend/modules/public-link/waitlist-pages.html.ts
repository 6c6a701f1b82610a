import { html, type Html } from '../../platform/http/html.js';
import { document, heading } from '../../platform/http/pages/shell.html.js';
import { firstName, timeOf, zoneName } from '../../platform/portuguese.js';
import { CONSENT_VERSION, type DoorTerms, type PublicLocation } from './public-page.api.js';
import type { FoundPage } from './public-page.queries.js';
import { addressOf, pathOf } from './visitor-pages.html.js';
import { doorData, doorRules, fullDay, partNames, whoFields } from './visitor-shell.html.js';
import { daysInWords, partsInWords } from './waitlist.history.js';
import type { FoundWaiting } from './waitlist.queries.js';

interface JoinShown {
  found: FoundPage;
  place: PublicLocation;
  /** Calendar dates that can be chosen, inclusive. */
  from: string;
  to: string;
  /** The proposed last date. */
  until: string;
  siteUrl: string;
}

const promise = (trainer: string) =>
  `${firstName(trainer)} manda a oferta pelo WhatsApp; com e-mail ela chega na hora.`;

/** Asks for the days and the visitor's name and contact. */
export function joinPage({ found, place, from, to, until, siteUrl }: JoinShown): string {
  const { nome, slug, timezone } = found;
  const path = `${pathOf(slug, place)}/espera`;
  return document(
    {
      title: `Lista de espera de ${nome} · ${place.nome}`,
      description: `Diga quando você pode. ${promise(nome)}`,
      site: siteUrl,
      path,
    },
    html`<main data-trainer="${slug}">
      <a class="back" href="${addressOf(pathOf(slug, place), found)}">‹ Horários</a>
      ${heading(nome, nome, [found.service.nome, place.nome, place.endereco].filter(Boolean).join(' · '))}
      <form
        id="waiting"
        method="post"
        data-slug="${slug}"
        data-place="${place.id}"
        data-service="${found.service.id ?? ''}"
        data-zone="${timezone}"
        novalidate
      >
        <h2>Lista de espera</h2>
        <p class="dim">
          Diga quando você pode. Se abrir um horário, ele fica reservado para você por um tempo.
          ${promise(nome)}
        </p>
        <div class="fields pair">
          <label
            >Do dia<input name="de" type="date" value="${from}" min="${from}" max="${to}" required
          /></label>
          <label
            >Até o dia<input name="ate" type="date" value="${until}" min="${from}" max="${to}" required
          /></label>
        </div>
        <fieldset id="parts">
          <legend>Período</legend>
          <div class="slots">
            ${partNames.map(
              ([value, name, hours]) =>
                html`<label class="slot"
                  ><input type="checkbox" name="periodos" value="${value}" /><span
                    >${name}<small>${hours}</small></span
                  ></label
                >`,
            )}
          </div>
        </fieldset>
        <p class="dim small">Fuso: ${zoneName(timezone)}.</p>
        <h2>Seus dados</h2>
        ${whoFields(CONSENT_VERSION)}
        <div id="said" role="alert"></div>
        <noscript><p class="notice">Para entrar na lista, ative o JavaScript deste navegador.</p></noscript>
        <div class="bar">
          <p class="dim">Você recebe um link para acompanhar</p>
          <button type="submit" disabled>Entrar na lista</button>
        </div>
      </form>
    </main>`,
  );
}

const states = {
  waiting: { title: 'Você está na lista', line: '' },
  offered: { title: 'Abriu um horário', line: 'Ele está reservado para você.' },
  another: {
    title: 'Abriu outro horário',
    line: 'A oferta anterior expirou. Este outro horário está reservado para você.',
  },
  passed: {
    title: 'Esta oferta expirou',
    line: 'Você continua na lista.',
  },
  booked: { title: 'Horário reservado', line: 'Você aceitou um horário da lista de espera.' },
  left: { title: 'Fora da lista', line: 'Você não está mais na lista de espera.' },
};

function stateOf({ status, oferta, ofertas }: FoundWaiting, followed: number | null) {
  if (status === 'agendada') return states.booked;
  if (status === 'saiu') return states.left;
  if (!oferta) return followed === null ? states.waiting : states.passed;
  return followed === null || followed === ofertas ? states.offered : states.another;
}

interface WaitingShown {
  found: FoundWaiting;
  token: string;
  /** Of the booking, once there is one. */
  visitToken: string | null;
  /** Number of the offer whose link was opened. */
  followed: number | null;
  /** What the offered class costs; null where nothing is asked. */
  door: DoorTerms | null;
  siteUrl: string;
}

/** An entry in the waitlist with its offer, for the holder of its link. */
export function waitingPage({ found, token, visitToken, followed, door, siteUrl }: WaitingShown): string {
  const { personal, slug, de, ate, periodos, location_id, location_nome, status, oferta, timezone } = found;
  const state = stateOf(found, followed);
  const next = found.por_email
    ? 'Quando abrir um horário que serve, a oferta chega na hora no seu e-mail.'
    : `Quando abrir um horário que serve, ${firstName(personal)} manda a oferta pelo WhatsApp.`;
  const isNext = state === states.waiting || state === states.passed;
  const line = [state.line, isNext && next].filter(Boolean).join(' ');
  return document(
    { title: `${state.title} · ${personal}`, description: line, site: siteUrl, path: `/p/${slug}` },
    html`<main data-trainer="${slug}">
      <div class="state ${status}">
        <h1>${state.title}</h1>
        <p class="dim">${line}</p>
      </div>
      ${(state === states.offered || state === states.another) && oferta && offered(found, oferta, token, door)}
      <dl class="card facts">
        <div>
          <dt>Dias</dt>
          <dd>
            ${daysInWords(de, ate)} (${partsInWords(periodos)})<span class="dim small"
              >${zoneName(timezone)}</span
            >
          </dd>
        </div>
        ${
          location_nome !== null &&
          html`<div>
            <dt>Onde</dt>
            <dd>${location_nome}</dd>
          </div>`
        }
        <div>
          <dt>Personal</dt>
          <dd>${personal}</dd>
        </div>
      </dl>
      <div class="ways">
        ${visitToken !== null && html`<a class="button" href="/p/reserva/${visitToken}">Ver a reserva</a>`}
        ${status !== 'agendada' && html`<a class="button quiet" href="/p/${slug}/${location_id}">Ver horários livres</a>`}
      </div>
      ${status === 'esperando' && leaving(token)}
    </main>`,
  );
}

function offered(
  { timezone, ofertas, personal }: FoundWaiting,
  { inicio, fim, ate }: NonNullable<FoundWaiting['oferta']>,
  token: string,
  door: DoorTerms | null,
): Html {
  return html`<div class="card facts">
      <p class="offer">
        <time datetime="${inicio}"
          >${fullDay(inicio, timezone)},
          <span class="whole">${timeOf(inicio, timezone)}–${timeOf(fim, timezone)}</span></time
        >
        <span class="dim">Responda até ${fullDay(ate, timezone)}, ${timeOf(ate, timezone)}.</span>
      </p>
    </div>
    ${doorRules(door, personal)}
    <form id="offer" data-token="${token}" data-offer="${ofertas}" data-door="${doorData(door)}" novalidate>
      <div class="ways">
        <button type="submit" disabled>Quero este horário${door && ' e aceito as condições'}</button>
        <button type="button" class="button quiet" id="refuse" disabled>Não posso</button>
      </div>
    </form>`;
}

const leaving = (token: string) =>
  html`<p class="dim small">Guarde o link desta página para acompanhar a lista.</p>
    <details>
      <summary>Sair da lista</summary>
      <form id="leave" data-token="${token}" novalidate>
        <p class="dim">Você não recebe mais avisos desta lista.</p>
        <button type="submit" class="danger" disabled>Sair da lista</button>
      </form>
    </details>
    <div id="said" role="alert"></div>
    <noscript><p class="notice">Para responder, ative o JavaScript deste navegador.</p></noscript>`;
