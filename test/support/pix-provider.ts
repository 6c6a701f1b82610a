import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { crc16 } from '../../backend/modules/charges/pix-code.js';
import { atEnd } from './cleanup.js';

/** A `CobCompleta` of the API Pix. */
export interface TestCob {
  txid: string;
  status: string;
  revisao: number;
  chave: string;
  valor: { original: string };
  solicitacaoPagador?: string;
  calendario: { criacao: string; expiracao: number };
  location: string;
  pixCopiaECola: string;
  pix: { endToEndId: string; txid: string; valor: string; horario: string }[];
}

/** A trainer's account at the provider: its credentials and its charges (cobs). */
export interface TestAccount {
  clientId: string;
  clientSecret: string;
  cobs: Map<string, TestCob>;
}

interface Ask {
  method: string;
  /** Relative to the base, such as `/cob/R1`. */
  path: string;
  clientId: string | undefined;
}

/** Replaces an answer; a function gets the charge after the call was executed, and returns the answer. */
type Fault =
  | { status: number; type?: string }
  | 'hang'
  /** Begins the answer, and never ends it. */
  | 'drip'
  | 'garbage'
  | ((cob: TestCob) => object)
  /** Executes the call, but cuts the connection without an answer. */
  | 'cut';

export interface TestPixProvider {
  origin: string;
  urlApi: string;
  urlToken: string;
  /** Every authorised call to the API, in order, such as `PUT /cob/R1`. */
  asked: string[];
  tokensGiven: number;
  /** Length of the next tokens. */
  tokenLength: number | undefined;
  /** Called for each call to the API; returns its fault, or undefined for none. */
  fault: ((ask: Ask) => Fault | undefined) | undefined;
  account(): TestAccount;
  /** Makes all given tokens invalid. */
  expireTokens(): void;
  /** Pays an active charge (`ATIVA`), with its amount or another one. */
  pay(account: TestAccount, txid: string, valor?: string): TestCob['pix'][number];
}

const PROBLEMS = 'https://pix.bcb.gov.br/api/v2/error/';
const TXID = /^[a-zA-Z0-9]{26,35}$/;
const ORIGINAL = /^\d{1,10}\.\d{2}$/;
const SCOPES = ['cob.read', 'cob.write'];

class Refused extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
  ) {
    super(type);
  }
}

const field = (id: string, value: string) => id + String(value.length).padStart(2, '0') + value;
function dynamicCode(location: string): string {
  const account = field('00', 'br.gov.bcb.pix') + field('25', location);
  const code =
    `${field('00', '01') + field('26', account)}520400005303986` +
    `5802BR${field('59', 'Provedor')}${field('60', 'Recife')}${field('62', field('05', '***'))}6304`;
  return code + crc16(code);
}

/**
 * A local provider with the central bank's API Pix 2.9, as in its OpenAPI document: OAuth 2 client credentials and `/cob`.
 * `tls`: over TLS, with a client certificate if the options require one.
 */
export async function startPixProvider({
  tls,
  now = () => new Date(),
}: { tls?: ServerOptions; now?: () => Date } = {}): Promise<TestPixProvider> {
  const accounts = new Map<string, TestAccount>();
  let tokens = new Map<string, TestAccount>();
  let payments = 0;
  const listener: RequestListener = (request, response) => {
    void answer(request, response).catch(() => response.destroy());
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const say = (response: ServerResponse, status: number, body: object, type = 'application/json') =>
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
  const refuse = (response: ServerResponse, status: number, type: string) =>
    say(response, status, { type: PROBLEMS + type, title: type, status }, 'application/problem+json');

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, origin);
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part as string;
    if (url.pathname === '/oauth/token') return giveToken(request, response, text);
    const account = tokens.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
    if (!account) return void refuse(response, 401, 'AcessoNegado');
    const method = request.method!;
    const path = url.pathname.replace(/^\/api\/v2/, '');
    provider.asked.push(`${method} ${path}`);
    const fault = provider.fault?.({ method, path, clientId: account.clientId });
    if (wentWrong(response, fault)) return;
    try {
      const body = text === '' ? {} : (JSON.parse(text) as Partial<TestCob>);
      const [status, said] = handle(account, method, path, body);
      if (fault === 'cut') response.destroy();
      else say(response, status, typeof fault === 'function' ? fault(said as TestCob) : said);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refuse(response, error.status, error.type);
    }
  }

  /** Applies a fault that replaces the whole call. Returns whether it did. */
  function wentWrong(response: ServerResponse, fault: Fault | undefined): boolean {
    if (fault === 'hang') return true;
    if (fault === 'drip') response.writeHead(200).write('{"cobs":');
    else if (fault === 'garbage')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>manutenção');
    else if (typeof fault === 'object') refuse(response, fault.status, fault.type ?? 'ServicoIndisponivel');
    else return false;
    return true;
  }

  function giveToken(request: IncomingMessage, response: ServerResponse, text: string): void {
    const fault = provider.fault?.({ method: 'POST', path: '/oauth/token', clientId: undefined });
    if (wentWrong(response, fault)) return;
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent);
    const account = accounts.get(id);
    const body = new URLSearchParams(text);
    if (account?.clientSecret !== secret) return void say(response, 401, { error: 'invalid_client' });
    if (body.get('grant_type') !== 'client_credentials')
      return void say(response, 400, { error: 'unsupported_grant_type' });
    const scope = body.get('scope') ?? '';
    if (!scope.split(' ').every((each) => SCOPES.includes(each)))
      return void say(response, 400, { error: 'invalid_scope' });
    const access_token = randomUUID().padEnd(provider.tokenLength ?? 0, 'x');
    tokens.set(access_token, account);
    provider.tokensGiven += 1;
    say(response, 200, { access_token, token_type: 'Bearer', expires_in: 3600, scope });
  }

  function handle(
    account: TestAccount,
    method: string,
    path: string,
    body: Partial<TestCob>,
  ): [number, object] {
    if (method === 'GET' && path === '/cob')
      return [200, { parametros: {}, cobs: [...account.cobs.values()] }];
    const [, txid] = /^\/cob\/([^/]+)$/.exec(path) ?? [];
    if (txid !== undefined) {
      if (!TXID.test(txid)) throw new Refused(400, 'CobOperacaoInvalida');
      if (method === 'PUT') return [201, create(account, txid, body)];
      const cob = account.cobs.get(txid);
      if (!cob) throw new Refused(404, 'NaoEncontrado');
      return [200, method === 'PATCH' ? revise(cob, body) : cob];
    }
    throw new Refused(404, 'NaoEncontrado');
  }

  function create(account: TestAccount, txid: string, body: Partial<TestCob>): TestCob {
    const { chave, valor, calendario, solicitacaoPagador = '' } = body;
    // A txid is unique for the account's holder.
    if (account.cobs.has(txid)) throw new Refused(409, 'CobOperacaoInvalida');
    check(valor, calendario);
    if (!chave || chave.length > 77 || !valor || !calendario || solicitacaoPagador.length > 140)
      throw new Refused(400, 'CobOperacaoInvalida');
    const location = `pix.example.com/qr/v2/${randomUUID().replaceAll('-', '')}`;
    const cob: TestCob = {
      txid,
      status: 'ATIVA',
      revisao: 0,
      chave,
      valor,
      solicitacaoPagador,
      location,
      pix: [],
      calendario: { criacao: now().toISOString(), expiracao: calendario.expiracao },
      pixCopiaECola: dynamicCode(location),
    };
    account.cobs.set(txid, cob);
    return cob;
  }

  function revise(cob: TestCob, { valor, calendario, status }: Partial<TestCob>): TestCob {
    const removes = status === 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
    if (cob.status !== 'ATIVA' || (status !== undefined && !removes) || (removes && (valor || calendario)))
      throw new Refused(400, 'CobOperacaoInvalida');
    check(valor, calendario);
    cob.revisao += 1;
    if (removes) cob.status = status;
    if (valor) cob.valor = valor;
    if (calendario) cob.calendario.expiracao = calendario.expiracao;
    return cob;
  }

  function check(
    valor: TestCob['valor'] | undefined,
    calendario: Partial<TestCob['calendario']> | undefined,
  ): void {
    const isAmount = !valor || (ORIGINAL.test(valor.original) && Number(valor.original) > 0);
    const expires = calendario?.expiracao ?? 1;
    const isLifetime = Number.isInteger(expires) && expires > 0 && expires < 2 ** 31;
    if (!isAmount || !isLifetime) throw new Refused(400, 'CobOperacaoInvalida');
  }

  const provider: TestPixProvider = {
    origin,
    urlApi: `${origin}/api/v2`,
    urlToken: `${origin}/oauth/token`,
    asked: [],
    tokensGiven: 0,
    tokenLength: undefined,
    fault: undefined,
    account() {
      const account = {
        clientId: randomUUID(),
        clientSecret: `${randomUUID()}+/=`,
        cobs: new Map(),
      };
      accounts.set(account.clientId, account);
      return account;
    },
    expireTokens() {
      tokens = new Map();
    },
    pay({ cobs }, txid, valor) {
      const cob = cobs.get(txid)!;
      const pix = {
        endToEndId: `E12345678${String((payments += 1)).padStart(23, '0')}`,
        txid,
        valor: valor ?? cob.valor.original,
        horario: now().toISOString(),
      };
      cob.pix.push(pix);
      cob.status = 'CONCLUIDA';
      return pix;
    },
  };
  return provider;
}
