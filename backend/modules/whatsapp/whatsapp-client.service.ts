import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Config } from '../../platform/config/env.js';
import { type Answered, ask, NotAnswered } from '../../platform/outgoing/ask.js';
import type { Template } from './whatsapp.api.js';
import type { Connection } from './whatsapp-connection.js';
import { WhatsAppFailure } from './whatsapp-failure.js';

const MOST_BYTES = 1024 * 1024;
const MOST_MS = 10_000;
const MOST_TEMPLATES = 200;
const LANGUAGE = 'pt_BR';

const refusal = z.object({ error: z.object({ code: z.int32() }) });
const phone = z.object({ verified_name: z.string(), display_phone_number: z.string() });
const templateList = z.object({
  data: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      language: z.string(),
      components: z
        .array(
          z.object({
            type: z.string(),
            text: z.string().optional(),
            format: z.string().optional(),
            buttons: z.array(z.object({ type: z.string() })).optional(),
          }),
        )
        .default([]),
    }),
  ),
});
const accepted = z.object({ messages: z.array(z.object({ id: z.string() })).min(1) });

/** A message by a template. `id` comes back with every report about it. */
export interface OutgoingMessage {
  id: string;
  /** E.164. */
  to: string;
  modelo: { nome: string; botoes: number };
  campos: readonly string[];
  /** What the quick replies send back. */
  respostas: readonly string[];
}

/** Client of Meta's WhatsApp Business Cloud API. Only what is used is read of its answers, and no text of an error. */
@Injectable()
export class WhatsAppClient {
  protected readonly mostMs: number = MOST_MS;

  constructor(private readonly config: Config) {}

  /** Name and number, as Meta shows them to students. */
  async phone(connection: Connection): Promise<{ nome: string; numero: string }> {
    const asked = `/${connection.numero_id}?fields=verified_name,display_phone_number`;
    const { verified_name, display_phone_number } = readAs(phone, await this.call(connection, 'GET', asked));
    return { nome: verified_name.slice(0, 200), numero: display_phone_number.slice(0, 40) };
  }

  /** The templates in Portuguese of Brazil. */
  async templates(connection: Connection): Promise<Template[]> {
    const asked = `/${connection.conta_id}/message_templates?fields=name,status,language,components&limit=${MOST_TEMPLATES}`;
    const { data } = readAs(templateList, await this.call(connection, 'GET', asked));
    return data
      .filter(({ language }) => language === LANGUAGE)
      .map(({ name, status, components }) => {
        const body = components.find(({ type }) => type === 'BODY')?.text ?? '';
        const buttons = components.flatMap(({ buttons: own = [] }) => own);
        const isPlain = buttons.every(({ type }) => type === 'QUICK_REPLY') && !components.some(asksForMore);
        return {
          nome: name.slice(0, 512),
          situacao: status,
          // A template that needs what no message has counts as one with fields that never fit.
          campos: isPlain ? new Set(body.match(/\{\{\d+\}\}/g)).size : -1,
          botoes: buttons.length,
        };
      })
      .toSorted((one, other) => one.nome.localeCompare(other.nome));
  }

  /** @throws WhatsAppFailure where it was refused, or it is not known whether it arrived */
  async send(connection: Connection, { id, to, modelo, campos, respostas }: OutgoingMessage): Promise<void> {
    const components = [
      { type: 'body', parameters: campos.map((field) => ({ type: 'text', text: field })) },
      ...respostas.slice(0, modelo.botoes).map((payload, index) => ({
        type: 'button',
        sub_type: 'quick_reply',
        index: String(index),
        parameters: [{ type: 'payload', payload }],
      })),
    ];
    const body = {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: to.replace(/\D/g, ''),
      type: 'template',
      biz_opaque_callback_data: id,
      template: { name: modelo.nome, language: { code: LANGUAGE }, components },
    };
    const answer = await this.call(connection, 'POST', `/${connection.numero_id}/messages`, body);
    if (!accepted.safeParse(json(answer)).success)
      throw new WhatsAppFailure('formato', { mayHaveArrived: true });
  }

  /** @throws WhatsAppFailure */
  private async call(
    { token_acesso }: Connection,
    method: string,
    path: string,
    body?: object,
  ): Promise<Answered> {
    const { whatsAppUrl, whatsAppTestOrigin: testOrigin } = this.config;
    const headers = {
      Authorization: `Bearer ${token_acesso}`,
      Accept: 'application/json',
      ...(body && { 'Content-Type': 'application/json' }),
    };
    try {
      const answer = await ask(
        new URL(whatsAppUrl + path),
        { method, headers, testOrigin, body: body && Buffer.from(JSON.stringify(body)) },
        { mostMs: this.mostMs, mostBytes: MOST_BYTES },
      );
      if (answer.status === 200) return answer;
      const { data } = refusal.safeParse(json(answer));
      throw new WhatsAppFailure('resposta', {
        status: answer.status,
        ...(data && { code: data.error.code }),
      });
    } catch (error) {
      if (!(error instanceof NotAnswered)) throw error;
      throw new WhatsAppFailure(error.kind, { mayHaveArrived: error.mayHaveArrived });
    }
  }
}

/** Whether a header has a picture, a file or a field. */
const asksForMore = ({ type, format, text }: { type: string; format?: string; text?: string }) =>
  type === 'HEADER' && (format !== 'TEXT' || /\{\{/.test(text ?? ''));

function json({ text }: Answered): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readAs<Shape>(schema: z.ZodType<Shape>, answer: Answered): Shape {
  const { data } = schema.safeParse(json(answer));
  if (data === undefined) throw new WhatsAppFailure('formato');
  return data;
}
