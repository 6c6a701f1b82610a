import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from './cleanup.js';

interface TestTemplate {
  name: string;
  status: string;
  language: string;
  components: object[];
}

/** A trainer's number at Meta, with its account and keys. */
export interface TestNumber {
  numeroId: string;
  contaId: string;
  token: string;
  secret: string;
  templates: TestTemplate[];
  /** Every message that was accepted, in order. */
  messages: TestMessage[];
}

export interface TestMessage {
  to: string;
  biz_opaque_callback_data: string;
  template: { name: string; language: { code: string }; components: TestComponent[] };
}
interface TestComponent {
  type: string;
  sub_type?: string;
  index?: string;
  parameters: { type: string; text?: string; payload?: string }[];
}

/** Replaces the answer to a message: an error of the API, or an answer that is none. */
export type WhatsAppFault =
  | { status: number; code?: number }
  | 'hang'
  /** Begins the answer, and never ends it. */
  | 'drip'
  | 'garbage'
  | 'long'
  /** Takes the message, but cuts the connection without an answer. */
  | 'cut';

export interface TestWhatsApp {
  origin: string;
  url: string;
  /** Every call, such as `POST /123/messages`. */
  asked: string[];
  fault: ((path: string) => WhatsAppFault | undefined) | undefined;
  number(): TestNumber;
}

/** A template as the API lists it, with as many quick replies. */
export const templateOf = (name: string, text: string, buttons: readonly string[] = []): TestTemplate => ({
  name,
  status: 'APPROVED',
  language: 'pt_BR',
  components: [
    { type: 'BODY', text },
    ...(buttons.length > 0
      ? [{ type: 'BUTTONS', buttons: buttons.map((label) => ({ type: 'QUICK_REPLY', text: label })) }]
      : []),
  ],
});

/** A local server with what Rende uses of the WhatsApp Business Cloud API, as Meta documents it. */
export async function startWhatsApp(): Promise<TestWhatsApp> {
  const numbers: TestNumber[] = [];
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const say = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const refuse = (response: ServerResponse, status: number, code: number) =>
    say(response, status, {
      error: { message: `(#${code})`, type: 'OAuthException', code, fbtrace_id: 'A' },
    });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, origin);
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part as string;
    const path = url.pathname.replace(/^\/v24\.0/, '');
    whatsApp.asked.push(`${request.method} ${path}`);
    const number = numbers.find(({ token }) => request.headers.authorization === `Bearer ${token}`);
    const fault = whatsApp.fault?.(path);
    if (fault === 'hang') return;
    if (fault === 'drip') return void response.writeHead(200).write('{"messages":');
    if (fault === 'garbage') return void response.writeHead(200).end('<html>manutenção');
    if (fault === 'long') return void response.writeHead(200).end('x'.repeat(2_000_000));
    if (typeof fault === 'object') {
      if (fault.code === undefined) return void response.writeHead(fault.status).end();
      return void refuse(response, fault.status, fault.code);
    }
    if (!number) return void refuse(response, 401, 190);
    if (path === `/${number.numeroId}`)
      return void say(response, 200, {
        id: number.numeroId,
        verified_name: 'Carla Personal',
        display_phone_number: '+55 11 4000-0000',
      });
    if (path === `/${number.contaId}/message_templates`)
      return void say(response, 200, { data: number.templates, paging: {} });
    if (request.method !== 'POST' || path !== `/${number.numeroId}/messages`)
      return void refuse(response, 400, 33);
    const message = JSON.parse(text) as TestMessage;
    const known = number.templates.find(
      ({ name, language }) => name === message.template.name && language === message.template.language.code,
    );
    if (known?.status !== 'APPROVED') return void refuse(response, 404, 132001);
    number.messages.push(message);
    if (fault === 'cut') return void response.destroy();
    say(response, 200, {
      messaging_product: 'whatsapp',
      contacts: [{ input: message.to, wa_id: message.to }],
      messages: [{ id: `wamid.${randomUUID()}`, message_status: 'accepted' }],
    });
  }

  const idOf = () => String(randomInt(1e9, 9e9));
  const whatsApp: TestWhatsApp = {
    origin,
    url: `${origin}/v24.0`,
    asked: [],
    fault: undefined,
    number() {
      const number = { numeroId: idOf(), contaId: idOf(), token: randomUUID(), secret: randomUUID() };
      const full: TestNumber = { ...number, templates: [], messages: [] };
      numbers.push(full);
      return full;
    },
  };
  return whatsApp;
}

/** Hands over a report as Meta does, signed with the app's secret. */
export async function hook(
  url: string,
  { numeroId, secret }: Pick<TestNumber, 'numeroId' | 'secret'>,
  value: object,
): Promise<number> {
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '0',
        changes: [
          {
            field: 'messages',
            value: { messaging_product: 'whatsapp', metadata: { phone_number_id: numeroId }, ...value },
          },
        ],
      },
    ],
  });
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const headers = { 'Content-Type': 'application/json', 'X-Hub-Signature-256': signature };
  return (await fetch(url, { method: 'POST', headers, body })).status;
}
