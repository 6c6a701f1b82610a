import { Injectable } from '@nestjs/common';
import * as oidc from 'openid-client';
import { z } from 'zod';
import { Config } from '../../platform/config/env.js';
import { instant } from '../../platform/http/common.api.js';
import { type Answered, ask, NotAnswered } from '../../platform/outgoing/ask.js';
import { pixNotice } from './pix-notices.api.js';
import type { Connection } from './provider-connection.js';
import type { CobChanges, Cob, NewCob, PixCharges } from './pix-charges.js';
import { type Asked, ProviderFailure } from './provider-failure.js';

const MOST_BYTES = 512 * 1024;
const MOST_MS = 10_000;
const SCOPES = 'cob.read cob.write';
/** A token is not used in the last 30 seconds of its lifetime. */
const MARGIN_MS = 30_000;
const LIFETIME_S = 300;
const MOST_TOKENS = 1_000;
const LONGEST_TOKEN = 10_000;

const MONEY = /^\d{1,10}\.\d{2}$/;
/** The API Pix's maximum of seconds. Later times would not fit into the database. */
const MOST_SECONDS = 2 ** 31 - 1;
/** The fields of a `CobCompleta` that we use; others are ignored. */
const answeredCob = z.object({
  txid: z.string(),
  status: z.string(),
  revisao: z.int(),
  chave: z.string(),
  valor: z.object({ original: z.string().regex(MONEY) }),
  calendario: z.object({
    criacao: instant,
    expiracao: z.coerce.number().int().positive().max(MOST_SECONDS),
  }),
  pixCopiaECola: z.string().optional(),
  pix: pixNotice.shape.pix,
});

interface Sent {
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

/** Client of the central bank's API Pix (`/cob`), which each provider offers at its own address. */
@Injectable()
export class ApiPixClient implements PixCharges {
  protected readonly mostMs: number = MOST_MS;
  /** Tokens by their connection, so that a token is never used for another connection. */
  private readonly tokens = new Map<string, { token: string; until: number }>();

  constructor(private readonly config: Config) {}

  async check(connection: Connection): Promise<void> {
    const now = new Date();
    const from = new Date(now.getTime() - 60_000);
    const asked = new URLSearchParams({ inicio: from.toISOString(), fim: now.toISOString() });
    const answer = await this.call(connection, 'GET', `/cob?${asked.toString()}`);
    if (answer.status !== 200) throw refusal(answer);
    if (!z.object({ cobs: z.array(z.unknown()).optional() }).safeParse(json(answer)).success)
      throw new ProviderFailure('api', 'formato');
  }

  async find(connection: Connection, txid: string): Promise<Cob | null> {
    const answer = await this.call(connection, 'GET', `/cob/${txid}`);
    return isUnknown(answer) ? null : cobOf(answer, txid);
  }

  async create(connection: Connection, txid: string, cob: NewCob): Promise<Cob> {
    const { chave, valor, expiracao, solicitacaoPagador } = cob;
    const body = {
      calendario: { expiracao },
      valor: { original: inReais(valor) },
      chave,
      solicitacaoPagador,
    };
    return cobOf(await this.call(connection, 'PUT', `/cob/${txid}`, body), txid);
  }

  async revise(connection: Connection, txid: string, { valor, expiracao }: CobChanges): Promise<Cob> {
    const body = { calendario: { expiracao }, valor: { original: inReais(valor) } };
    return cobOf(await this.call(connection, 'PATCH', `/cob/${txid}`, body), txid);
  }

  async remove(connection: Connection, txid: string): Promise<Cob> {
    const body = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
    return cobOf(await this.call(connection, 'PATCH', `/cob/${txid}`, body), txid);
  }

  /** If the API refuses the token, requests a new one and repeats the call once. */
  private async call(connection: Connection, method: string, path: string, body?: object): Promise<Answered> {
    for (let attempt = 0; ; attempt += 1) {
      const token = await this.tokenOf(connection);
      const url = new URL(connection.url_api.replace(/\/+$/, '') + path);
      const headers = {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json',
        ...(body && { 'Content-Type': 'application/json' }),
      };
      const sent = { method, headers, body: body && JSON.stringify(body) };
      const answer = await this.send('api', connection, url, sent);
      if (answer.status !== 401) return answer;
      this.tokens.delete(connection.connection_id);
      if (attempt > 0) throw refusal(answer);
    }
  }

  private async tokenOf(connection: Connection): Promise<string> {
    const { connection_id, url_token, client_id, client_secret } = connection;
    const known = this.tokens.get(connection_id);
    if (known && known.until > Date.now()) return known.token;
    const server = { issuer: url_token, token_endpoint: url_token };
    const client = new oidc.Configuration(
      server,
      client_id,
      undefined,
      oidc.ClientSecretBasic(client_secret),
    );
    // The address check allows http only in tests.
    oidc.allowInsecureRequests(client);
    let failure: ProviderFailure | undefined;
    client[oidc.customFetch] = async (url, { method, headers, body }) => {
      try {
        const sent = { method, headers, body: (body as URLSearchParams).toString() };
        const answer = await this.send('token', connection, new URL(url), sent);
        return new Response(answer.text || null, {
          status: answer.status,
          headers: { 'content-type': answer.headers['content-type'] ?? '' },
        });
      } catch (error) {
        if (error instanceof ProviderFailure) failure = error;
        throw error;
      }
    };
    try {
      const { access_token, expires_in = LIFETIME_S } = await oidc.clientCredentialsGrant(client, {
        scope: SCOPES,
      });
      if (access_token.length > LONGEST_TOKEN) throw new ProviderFailure('token', 'tamanho');
      if (this.tokens.size >= MOST_TOKENS) this.tokens.clear();
      const until = Date.now() + expires_in * 1000 - MARGIN_MS;
      this.tokens.set(connection_id, { token: access_token, until });
      return access_token;
    } catch (error) {
      throw failure ?? (error instanceof ProviderFailure ? error : tokenFailure(error));
    }
  }

  /** @throws ProviderFailure */
  private async send(asked: Asked, connection: Connection, url: URL, sent: Sent): Promise<Answered> {
    const { certificado, chave_privada } = connection;
    try {
      const request = {
        method: sent.method,
        headers: sent.headers,
        testOrigin: this.config.pixTestOrigin,
        body: sent.body === undefined ? undefined : Buffer.from(sent.body),
        ...(certificado !== null && chave_privada !== null && { cert: certificado, key: chave_privada }),
      };
      return await ask(url, request, { mostMs: this.mostMs, mostBytes: MOST_BYTES });
    } catch (error) {
      throw error instanceof NotAnswered ? new ProviderFailure(asked, error.kind) : error;
    }
  }
}

const inReais = (cents: number) => (cents / 100).toFixed(2);

function tokenFailure(error: unknown): ProviderFailure {
  const status =
    error instanceof oidc.ResponseBodyError || error instanceof oidc.WWWAuthenticateChallengeError
      ? error.status
      : error instanceof oidc.ClientError && error.cause instanceof Response
        ? error.cause.status
        : undefined;
  if (status === undefined || status < 400) return new ProviderFailure('token', 'formato');
  if (status === 400 || status === 401) return new ProviderFailure('token', 'credenciais');
  return new ProviderFailure('token', 'resposta', { status });
}

function json({ text }: Answered): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const problemOf = z.object({ type: z.string() });

function namedProblem(answer: Answered): string | undefined {
  const type = problemOf.safeParse(json(answer)).data?.type;
  return type === undefined ? undefined : /\/error\/([A-Za-z]{3,50})$/.exec(type)?.[1];
}

/** Whether the API itself says that the code is unknown. A gateway's 404 does not count: the code would wrongly be given up. */
const isUnknown = (answer: Answered) =>
  answer.status === 404 && /NaoEncontrad[ao]$/.test(namedProblem(answer) ?? '');

/** Of a provider's refusal, only the problem type of the API Pix is kept. */
function refusal(answer: Answered): ProviderFailure {
  const problem = namedProblem(answer);
  return new ProviderFailure('api', 'resposta', { status: answer.status, problem });
}

/** @throws ProviderFailure for a refusal, an answer in another format, or one about another code */
function cobOf(answer: Answered, txid: string): Cob {
  if (answer.status !== 200 && answer.status !== 201) throw refusal(answer);
  const { data } = answeredCob.safeParse(json(answer));
  if (!data) throw new ProviderFailure('api', 'formato');
  if (data.txid !== txid) throw new ProviderFailure('api', 'divergente');
  // A paid code without its payment is a failure, so that it is read again until the payment can be recorded.
  if (data.status === 'CONCLUIDA' && data.pix.length === 0) throw new ProviderFailure('api', 'pagamento');
  const { status, revisao, chave, pixCopiaECola = null } = data;
  const criacao = new Date(data.calendario.criacao);
  const expira = new Date(criacao.getTime() + data.calendario.expiracao * 1000);
  return {
    status,
    revisao,
    chave,
    pixCopiaECola,
    criacao,
    expira,
    valor: Math.round(Number(data.valor.original) * 100),
    pix: data.pix.map(({ endToEndId, valor, horario }) => ({
      endToEndId,
      txid,
      horario,
      valor: Math.round(Number(valor) * 100),
    })),
  };
}
