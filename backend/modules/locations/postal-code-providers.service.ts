import { Injectable } from '@nestjs/common';
import * as z from 'zod/mini';
import { Config } from '../../platform/config/env.js';
import type { PostalAddress } from './postal-codes.api.js';

/** The provider answered that there is no such postal code. */
export class UnknownPostalCode extends Error {}

type Asked = (cep: string, signal: AbortSignal) => Promise<PostalAddress>;

const MOST_BYTES = 64 * 1024;
const word = z.string().check(z.trim(), z.maxLength(200));
const state = z.string().check(z.regex(/^[A-Z]{2}$/));
const maybe = z._default(z.nullable(word), null);

/** An unknown code is answered with status 200 and the field `erro`. */
const viaCepAnswer = z.union([
  z.object({ erro: z.unknown() }).check(z.refine(({ erro }) => erro !== undefined)),
  z.object({ logradouro: maybe, bairro: maybe, localidade: word, uf: state }),
]);
const brasilApiAnswer = z.object({ street: maybe, neighborhood: maybe, city: word, state });

/** Requests to the configured public providers of postal codes. */
@Injectable()
export class PostalCodeProviders {
  readonly all: readonly Asked[];

  constructor({ viaCepUrl, brasilApiUrl }: Config) {
    this.all = [
      ...(viaCepUrl ? [viaCep(viaCepUrl)] : []),
      ...(brasilApiUrl ? [brasilApi(brasilApiUrl)] : []),
    ];
  }
}

function viaCep(base: string): Asked {
  return async (cep, signal) => {
    const response = await ask(`${base}/${cep}/json/`, signal);
    const answer = viaCepAnswer.parse(await jsonOf(response));
    if ('erro' in answer) throw new UnknownPostalCode();
    const { logradouro, bairro, localidade, uf } = answer;
    return { cep, logradouro: logradouro ?? '', bairro: bairro ?? '', cidade: localidade, uf };
  };
}

function brasilApi(base: string): Asked {
  return async (cep, signal) => {
    const response = await ask(`${base}/${cep}`, signal);
    if (response.status === 404) throw new UnknownPostalCode();
    const { street, neighborhood, city, state: uf } = brasilApiAnswer.parse(await jsonOf(response));
    return { cep, logradouro: street ?? '', bairro: neighborhood ?? '', cidade: city, uf };
  };
}

const ask = (url: string, signal: AbortSignal) =>
  fetch(url, { signal, redirect: 'error', headers: { Accept: 'application/json', 'User-Agent': 'Rende' } });

async function jsonOf(response: Response): Promise<unknown> {
  if (!response.ok || !response.body) throw new Error(`postal code not answered: ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error('postal code answered with too much');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
