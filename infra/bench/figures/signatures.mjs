import { setTimeout as delay } from 'node:timers/promises';
import { Api } from '../../demo/api.mjs';
import { agreed } from '../../demo/business.mjs';
import { newAccount } from '../../demo/people.mjs';
import { backendModule } from '../../start/database.mjs';
import { line, percentiles } from '../measure.mjs';

const ROUNDS = 5;
const EACH = 20;
const WARM = 10;
/** About ten pages. */
const CLAUSE =
  '<h2>Cláusula</h2><p>O contratado planeja e acompanha o <strong>treinamento</strong> do contratante, no local combinado.</p>';
const CONTRACT = { titulo: 'Contrato', conteudo: `<p>{{aluno}}, {{cpf}}</p>${CLAUSE.repeat(140)}` };
const CPF = '529.982.247-25';
const MADE = "select count(*)::int as made from events where type = 'ContractCopyMade'";
const MIB = 2 ** 20;

/** Measures a signature: the request, the PDF that a worker makes, and the memory for a hundred PDFs. */
export async function signatures(stage) {
  const environment = { ...(await stage.database()), TRUST_PROXY_HOPS: '1' };
  const server = await stage.server(environment, 'api,worker');
  const tokens = await sendContract(server.url, WARM + ROUNDS * EACH);
  const made = await copies(environment);

  const sign = async (token) => [
    await timed(server.url, 'open', { token }),
    await timed(server.url, 'sign', { token, ...signer }),
  ];
  for (const token of tokens.splice(0, WARM)) await sign(token);
  await made.until(WARM);
  const memory = () => server.metric('process_resident_memory_bytes');
  const before = await memory();
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const durations = [];
    for (const token of tokens.splice(0, EACH)) durations.push(await sign(token));
    rounds.push(durations);
    await made.until(WARM + (round + 1) * EACH);
  }
  const after = await memory();
  await made.end();
  await server.close();

  const files = await filesAlone(stage, environment);
  const of = (which, key) => rounds.map((round) => percentiles(round.map((pair) => pair[which]))[key]);
  return {
    title: `Assinaturas de um contrato de ${files.pages} páginas pelo link, uma depois da outra`,
    lines: [
      line('assinar, p50', 'ms', of(1, 'p50'), 'só registrar que abriu', of(0, 'p50')),
      line('assinar, p99', 'ms', of(1, 'p99'), 'só registrar que abriu', of(0, 'p99')),
      line('um PDF com evidências e assinatura digital', 'ms', files.durations),
    ],
    remarks: [
      `Arquivo: ${Math.round(files.bytes / 1000)} kB.`,
      `Memória do processo: ${mebibytes(before)} antes de ${ROUNDS * EACH} PDFs, ${mebibytes(after)} depois.`,
    ],
  };
}

const signer = { nome: 'Aluna de Carga', cpf: CPF, telefone: '(11) 98765-4321', ...agreed };
const mebibytes = (bytes) => `${Math.round(bytes / MIB)} MiB`;

/** Milliseconds until the answer. Each request has another IP address, like requests of different people. */
async function timed(url, step, body) {
  const began = performance.now();
  const response = await fetch(`${url}/api/v1/signature-links/${step}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
      'x-forwarded-for': `10.${Array.from(crypto.getRandomValues(new Uint8Array(3))).join('.')}`,
    },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${step} was answered with ${response.status}`);
  return performance.now() - began;
}

/** Sends a contract to `count` students. Returns the tokens of their links. */
async function sendContract(url, count) {
  const api = new Api(url);
  await api.signUp(newAccount('Carga'));
  const student = (_, n) =>
    api.write('POST', '/students', { nome: `Aluna ${n}`, whatsapp: '(11) 98765-4321' });
  await Promise.all(Array.from({ length: count }, student));
  const id = (await api.write('POST', '/contracts', CONTRACT)).id;
  await api.write('POST', `/contracts/${id}/send`, { alunos: 'todos', canal: 'link' });
  for (;;) {
    const tokens = await linksOf(api, id);
    if (tokens.length >= count) return tokens;
    await delay(200);
  }
}

async function linksOf(api, id) {
  const links = [];
  let cursor = '';
  do {
    const { items, next } = await api.read(`/contracts/${id}/requests?limit=100${cursor}`);
    links.push(...items.map(({ url }) => url.split('/').at(-1)));
    cursor = next && `&cursor=${encodeURIComponent(next)}`;
  } while (cursor);
  return links;
}

/** Returns a function that waits until a number of PDFs is made. */
async function copies({ DATABASE_OWNER_URL }) {
  const { createPool } = await backendModule('platform/database/pools.js');
  const owner = createPool(DATABASE_OWNER_URL, { max: 1, searchPath: 'public', applicationName: 'bench' });
  const until = async (count) => {
    while ((await owner.query(MADE)).rows[0].made < count) await delay(100);
  };
  return { until, end: () => owner.end() };
}

/** Writes and signs the same PDFs in this process, without HTTP and jobs. */
async function filesAlone(stage, environment) {
  const app = await stage.app(environment, 'api');
  const [{ writeSignedCopy }, { PdfSeals }] = await Promise.all([
    backendModule('modules/contracts/signed-copy.pdf.js'),
    backendModule('platform/pdf/pdf-seals.service.js'),
  ]);
  const seals = app.get(PdfSeals);
  const at = new Date();
  const evidence = {
    ...CONTRACT,
    ...signer,
    contract_id: crypto.randomUUID(),
    versao: 1,
    personal: 'Carga',
    nascimento: null,
    responsavel: null,
    ip_address: '203.0.113.0',
    navegador: 'bench',
    meio: 'link',
    codigo_email: null,
    codigo_confirmado_em: null,
    assinado_em: at,
    conteudo_hash: 'a'.repeat(64),
    sal: 'b'.repeat(32),
    steps: [{ type: 'ContractSigned', em: at, posicao: 1, canal: null }],
    posicao: 1,
    evento_hash: 'c'.repeat(64),
    codigo: 'K7QM-2XWD-9ABC-HJ4P',
    url: 'https://exemplo.com.br/verificar',
    timezone: 'America/Sao_Paulo',
  };
  const write = () => seals.seal((carimbo) => writeSignedCopy({ ...evidence, carimbo }), false);
  let file = await write();
  const durations = [];
  for (let n = 0; n < EACH; n += 1) {
    const began = performance.now();
    file = await write();
    durations.push(performance.now() - began);
  }
  await app.close();
  return { durations, bytes: file.length, pages: file.toString('latin1').match(/\/Type \/Page\b/g).length };
}
