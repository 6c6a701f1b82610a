import { createHash, randomInt, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { Api } from '../demo/api.mjs';

/** Variables that make the server take a visitor's IP address from `x-forwarded-for`. */
export const BEHIND_A_PROXY = { TRUST_PROXY_HOPS: '1' };

const someAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
const somePhone = () => `(11) 9${randomInt(10_000_000, 99_999_999)}`;

/** Opens a trainer's public page, which offers all times of 28 days: `{ slug, location_id }`. */
export async function openPage(url, { token }) {
  const api = new Api(url);
  api.token = token;
  const { slug } = await api.read('/public-link');
  const [{ id }] = (await api.read('/locations')).items;
  await api.write('PUT', '/public-link', {
    ativo: true,
    dias: 28,
    duracao_min: 60,
    intervalo_min: 0,
    por_dia: 24,
    antecedencia_min: 0,
    locais: null,
    texto: null,
    whatsapp: null,
    indexavel: false,
  });
  return { slug, location_id: id };
}

/** Start times that the public page shows. */
export async function startsOf(url, { slug }) {
  const { body } = await ask(url, 'GET', `/api/v1/public/pages/${slug}`);
  return body.horarios.map(({ inicio }) => inicio);
}

/** A new visitor books: `{ status, body, ms }`. If the answer requires a proof of work, computes it, as a browser does. */
export async function bookAsVisitor(url, { slug, location_id }, inicio, agent) {
  const began = performance.now();
  const from = someAddress();
  const wanted = {
    slug,
    location_id,
    inicio,
    nome: 'Visita de Carga',
    whatsapp: somePhone(),
    consentimento: 2,
  };
  const send = (body) => ask(url, 'POST', '/api/v1/public/bookings', { from, body, agent });
  let answer = await send(wanted);
  if (answer.status === 428) answer = await send({ ...wanted, prova: proofOf(answer.body.desafio) });
  return { ...answer, ms: performance.now() - began };
}

/** The proof of work, in ALTCHA's format. */
function proofOf({ algorithm, challenge, salt, signature, maxnumber }) {
  const hash = (number) =>
    createHash('sha256')
      .update(salt + number)
      .digest('hex');
  for (let number = 0; number <= maxnumber; number += 1)
    if (hash(number) === challenge) {
      const solution = { algorithm, challenge, number, salt, signature };
      return Buffer.from(JSON.stringify(solution)).toString('base64');
    }
  throw new Error('a challenge without a solution');
}

/** One request, by default from a random IP address. */
export function ask(url, method, path, { from = someAddress(), body, agent } = {}) {
  const text = body && JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(url + path, {
      method,
      agent,
      headers: {
        'x-forwarded-for': from,
        ...(text && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          'idempotency-key': randomUUID(),
        }),
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let heard = '';
      response.setEncoding('utf8').on('data', (part) => (heard += part));
      response.on('end', () => {
        const isJson = /json/.test(response.headers['content-type'] ?? '');
        resolve({ status: response.statusCode, body: isJson && heard ? JSON.parse(heard) : heard });
      });
    });
    sent.end(text);
  });
}
