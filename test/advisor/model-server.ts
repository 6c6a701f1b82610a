import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../support/cleanup.js';

interface Message {
  role: string;
  content: string | null;
  tool_call_id?: string;
}

/** The request of the advisor: headers and body. */
export interface Sent {
  headers: IncomingMessage['headers'];
  text: string;
  body: { model: string; messages: Message[]; tools: { function: { name: string; parameters: object } }[] };
}

interface ToldFact {
  id: string;
  o_que: string;
  texto: string;
  aluno?: { id: string; nome: string };
}
type Told = { fatos: ToldFact[] } | { erro: string };

type Reply = (sent: Sent, response: ServerResponse, request: IncomingMessage) => void;

const json = (response: ServerResponse, message: object) =>
  void response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify({ id: 'x', object: 'chat.completion', choices: [{ index: 0, message }] }));

/** Answers with a text, which may be computed from the request. */
export const text =
  (content: string | ((sent: Sent) => string)): Reply =>
  (sent, response) =>
    json(response, { role: 'assistant', content: typeof content === 'string' ? content : content(sent) });

/** Calls tools, by name and arguments. */
export const calls =
  (...asked: [name: string, args: unknown][]): Reply =>
  (_sent, response) =>
    json(response, {
      role: 'assistant',
      content: null,
      tool_calls: asked.map(([name, args], n) => ({
        id: `call-${n}`,
        type: 'function',
        function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
      })),
    });

/** The tools' answers in the last request, in order. */
export function toldTo({ body: { messages } }: Sent): Told[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(last + 1).map(({ content }) => JSON.parse(content!) as Told);
}

/** Every fact in the tools' last answers. */
export const factsOf = (sent: Sent): ToldFact[] =>
  toldTo(sent).flatMap((told) => ('fatos' in told ? told.fatos : []));

/** The placeholder of a fact. */
export const named = (sent: Sent, what: string): string =>
  `{{${factsOf(sent).find(({ o_que }) => o_que === what)!.id}}}`;

export interface ModelServer {
  url: string;
  /** Requests since the last `plays`. */
  sent: Sent[];
  /** The answers to successive requests; the last one also answers all further requests. */
  plays(...replies: [Reply, ...Reply[]]): void;
}

/** A server on this machine with OpenAI's API, or with other behaviour as the test wants. */
export async function startModelServer(): Promise<ModelServer> {
  let replies: Reply[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    response.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received = Buffer.concat(chunks).toString();
      const sent = { headers: request.headers, text: received, body: JSON.parse(received) as Sent['body'] };
      model.sent.push(sent);
      (replies.length > 1 ? replies.shift()! : replies[0]!)(sent, response, request);
    });
  });
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const model: ModelServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    sent: [],
    plays(...given) {
      model.sent = [];
      replies = given;
    },
  };
  return model;
}
