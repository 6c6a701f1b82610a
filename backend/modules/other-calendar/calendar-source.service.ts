import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/env.js';
import { TooLarge, upTo } from '../../platform/outgoing/bounded-body.js';
import { AddressRefused, requestPublic } from '../../platform/outgoing/public-request.js';

/** Why a calendar cannot be read; the texts are in `failureWords`. */
export type FailureKind =
  | 'endereco'
  | 'conexao'
  | 'resposta'
  | 'tempo'
  | 'tamanho'
  | 'redirecionamentos'
  | 'formato'
  | 'incompleto'
  | 'repeticoes';

export class SourceFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    /** The status of the server's answer. */
    readonly status?: number,
  ) {
    super(`calendar not read: ${kind}`);
  }
}

/** Google's addresses contain everything since the calendar was made: 9,000 events are 2.7 MB. */
const MOST_BYTES = 30 * 1024 * 1024;
const MOST_MS = 30_000;
const MOST_REDIRECTS = 3;

/**
 * Fetches calendars from addresses that users paste. Connects only to public IP addresses: the resolved address is checked when
 * the connection is made, and exactly that address is used; the same for every redirect. Total time and size are limited, also
 * after decompression.
 */
@Injectable()
export class CalendarSource {
  protected readonly mostMs: number = MOST_MS;

  constructor(private readonly config: Config) {}

  /**
   * @param take reads the calendar as it arrives
   * @throws SourceFailure
   */
  async fetch<Result>(
    link: string,
    take: (parts: AsyncIterable<Buffer>) => Promise<Result>,
  ): Promise<Result> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.mostMs);
    try {
      let url = new URL(link.replace(/^webcal:/i, 'https:'));
      for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
        const response = await this.ask(url, deadline.signal);
        const { statusCode = 0, headers } = response;
        if (statusCode >= 300 && statusCode < 400 && headers.location) {
          response.destroy();
          if (!URL.canParse(headers.location, url.href)) throw new SourceFailure('resposta', statusCode);
          url = new URL(headers.location, url);
          continue;
        }
        if (statusCode !== 200) {
          response.destroy();
          throw new SourceFailure('resposta', statusCode);
        }
        try {
          return await take(upTo(MOST_BYTES, decoded(response)));
        } finally {
          response.destroy();
        }
      }
      throw new SourceFailure('redirecionamentos');
    } catch (error) {
      if (deadline.signal.aborted) throw new SourceFailure('tempo');
      if (error instanceof AddressRefused) throw new SourceFailure('endereco');
      if (error instanceof TooLarge) throw new SourceFailure('tamanho');
      if (isUndecodable(error)) throw new SourceFailure('formato');
      throw error instanceof SourceFailure ? error : new SourceFailure('conexao');
    } finally {
      clearTimeout(timer);
    }
  }

  private ask(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const headers = { Accept: 'text/calendar', 'Accept-Encoding': 'gzip', 'User-Agent': 'Rende' };
    return requestPublic(url, { headers, signal, testOrigin: this.config.calendarTestOrigin });
  }
}

/** Decompresses the answer. */
function decoded(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') return response;
  const decoder = encoding === 'gzip' ? createGunzip() : encoding === 'deflate' ? createInflate() : null;
  if (!decoder) throw new SourceFailure('formato');
  response.once('error', (error) => decoder.destroy(error));
  return response.pipe(decoder);
}

const isUndecodable = (error: unknown) => String((error as NodeJS.ErrnoException).code).startsWith('Z_');
