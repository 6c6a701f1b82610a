#!/usr/bin/env node
// Confere um "arquivo completo" do Rende sem o Rende: só é preciso o Node 20 ou mais novo.
//
//   node verificar-arquivo.mjs arquivo-completo.jsonl [chave pública]
//
// Sai com 0 se o arquivo está inteiro, com 1 se não está, com 2 se não foi possível ler.
//
// O que isto prova: o arquivo é, linha por linha, o que o Rende dono da chave pública escreveu; nada foi mudado, retirado,
// trocado de lugar ou cortado. Onde há um lacre no arquivo, também que aqueles registros já existiam no dia do lacre.
// O que não prova: que a chave é mesmo do Rende do seu personal (compare-a com a que ele publica), nem que os textos são os que
// foram cifrados: o hash de cada registro é do texto cifrado, e quem afirma que os dois são o mesmo é a assinatura.
//
// O formato, versão 1: uma linha de JSON por item, em UTF-8. Cada linha tem "n" (seu número) e "sum": o SHA-256 da "sum" da linha
// anterior, seguida do texto da linha até antes de ,"sum". A última tem "sum_before" e "signature": a assinatura Ed25519 do seu texto
// até antes de ,"signature". "kind" diz o que há na linha: header, account, row, key, event, file, end. Campo por campo, ele está em
// docs/archive-format.md, no código do Rende.

import { createHash, createPublicKey, verify } from 'node:crypto';
import { open } from 'node:fs/promises';

const SUMMED = /^(\{"n":(\d+),.*),"sum":"([\da-f]{64})"\}$/;
const SIGNED = /^(\{"n":(\d+),"kind":"end","sum_before":"([\da-f]{64})"),"signature":"([\w+/=]+)"\}$/;

const sha256 = (...parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const isSigned = (text, signature, publicKey) => {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
};

class Wrong extends Error {}

/** Por que a linha `at` não é a que deveria estar ali. */
function whyNot(at, text) {
  if (at === 1) return 'este não é um arquivo completo do Rende.';
  const number = Number(/^\{"n":(\d+),/.exec(text)?.[1]);
  if (number > at) return `linha ${at}: foram retiradas linhas; depois da ${at - 1} vem a ${number}.`;
  if (number < at)
    return `linha ${at}: as linhas foram trocadas de lugar; depois da ${at - 1} vem a ${number}.`;
  return `linha ${at}: foi alterada.`;
}

/** O lacre de um dia, guardado por uma verificação: até que registro, e com que hash; undefined se não é deste arquivo. */
function sealIn({ table, row }, { public_key, tenant_id }) {
  const proof = table === 'integrity_checks' && row.result?.comprovante;
  if (!proof || proof.chave_publica !== public_key) return undefined;
  const [tenant, position, head] = proof.folha.split(' ');
  let hash = sha256('\0', proof.folha);
  for (const { side, hash: other } of proof.caminho) {
    const sibling = Buffer.from(other, 'hex');
    hash = side === 'left' ? sha256('\x01', sibling, hash) : sha256('\x01', hash, sibling);
  }
  const { day, root } = JSON.parse(proof.registro);
  const isProof =
    tenant === tenant_id &&
    hash.toString('hex') === root &&
    isSigned(proof.registro, proof.assinatura, public_key);
  return isProof ? { day, position: Number(position), head } : undefined;
}

async function check(file, publicKey) {
  let [at, sum, header, ended] = [0, '', undefined, false];
  const counts = { event: 0, file: 0 };
  const seals = new Map();
  let sealed;
  const opened = await open(file);
  for await (const text of opened.readLines()) {
    at += 1;
    if (ended) throw new Wrong(`linha ${at}: há linhas depois do fim.`);
    const end = SIGNED.exec(text);
    if (end) {
      if (Number(end[2]) !== at) throw new Wrong(whyNot(at, text));
      if (end[3] !== sum || !isSigned(end[1], end[4], header?.public_key))
        throw new Wrong('a assinatura não confere: o arquivo foi alterado.');
      ended = true;
      continue;
    }
    const [, summed, n, own] = SUMMED.exec(text) ?? [];
    if (!summed || Number(n) !== at || sha256(sum, summed).toString('hex') !== own)
      throw new Wrong(whyNot(at, text));
    sum = own;
    const line = JSON.parse(`${summed}}`);
    if (at === 1) {
      header = line;
      if (line.format !== 'rende-archive') throw new Wrong('este não é um arquivo completo do Rende.');
      if (line.version !== 1) throw new Wrong(`o formato ${line.version} é mais novo do que este programa.`);
      if (publicKey && publicKey !== line.public_key)
        throw new Wrong(`a chave pública do arquivo é outra: ${line.public_key}`);
    }
    if (line.kind in counts) counts[line.kind] += 1;
    const seal = line.kind === 'row' && sealIn(line, header);
    if (seal) seals.set(seal.position, seal);
    const expected = line.kind === 'event' && seals.get(line.position);
    if (expected && expected.head === line.hash) sealed = expected;
    else if (expected)
      throw new Wrong(`linha ${at}: não é o registro que o lacre de ${expected.day} guardou.`);
  }
  if (!ended) throw new Wrong(`cortado: termina na linha ${at}, e falta o fim.`);
  if (counts.event !== header.events)
    throw new Wrong(`há ${counts.event} registros, e deveria haver ${header.events}.`);
  return { header, counts, sealed };
}

const [file, publicKey] = process.argv.slice(2);
if (!file) {
  console.error('Uso: node verificar-arquivo.mjs <arquivo> [chave pública]');
  process.exit(2);
}
try {
  const { header, counts, sealed } = await check(file, publicKey);
  console.log(
    `Inteiro: ${counts.event.toLocaleString('pt-BR')} registros e ${counts.file.toLocaleString('pt-BR')} contratos assinados, feito em ${header.made_at}.`,
  );
  console.log(
    sealed
      ? `O lacre de ${sealed.day} confirma os registros até o ${sealed.position}.`
      : 'Não há lacre neste arquivo: ele prova só o que a assinatura prova.',
  );
  console.log(
    publicKey
      ? 'A chave pública é a que você informou.'
      : `Compare a chave pública com a que o Rende publica: ${header.public_key}`,
  );
} catch (error) {
  console.error(
    error instanceof Wrong ? `Não confere: ${error.message}` : `Não foi possível ler: ${error.message}`,
  );
  process.exitCode = error instanceof Wrong ? 1 : 2;
}
