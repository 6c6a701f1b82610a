import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { ZipFile } from 'yazl';
import { OUTSIDE_KEYS } from '../../../platform/backup/tenant-archive.js';
import { batches, fetched, writeTenantArchive } from '../../../platform/backup/tenant-archive-writer.js';
import { Config } from '../../../platform/config/env.js';
import { csvOf } from '../../../platform/csv.js';
import { abandon, Database } from '../../../platform/database/database.js';
import { EventCodec } from '../../../platform/event-store/event-codec.js';
import { openKeptFile, type SealedFile } from '../../../platform/event-store/kept-files.service.js';
import { PersonalData } from '../../../platform/event-store/personal-data.js';
import { FeatureRegistry } from '../../../platform/features.js';
import { decodeAll } from '../../../platform/projections/keys.js';
import { deviceName } from '../device.js';
import { Secrets } from '../secrets/secrets.service.js';
import { HISTORY, type HistoryRow, sectionsFor } from './export-sections.js';

/** Verifies an archive without Rende; it is also a file of the site. */
const VERIFIER = resolve('frontend/public/verificar-arquivo.mjs');
const SNAPSHOT = 'begin isolation level repeatable read, read only';
const SET_TENANT = "select set_config('app.tenant', $1, true)";
export const MEMBERSHIPS = `select tenant_id, slug, timezone, role, student_id, personal,
    (select s.nome from auth.students_of($1) s where s.student_id = m.student_id) as aluno
  from auth.memberships_of($1) m`;
const USER = `select id, email, new_email, user_metadata ->> 'nome' as nome, email_confirmed_at, last_sign_in_at, created_at
  from auth.users where id = $1`;
const PROFILE = 'select auth.profile_of($1) as sealed';
const IDENTITIES = `select provider as provedor, email, created_at as ligada_em, last_sign_in_at as ultimo_acesso
  from auth.identities where user_id = $1 order by created_at`;
const FACTORS = `select friendly_name as nome, created_at as criado_em from auth.factors
  where user_id = $1 and verified_at is not null order by created_at`;
const PASSKEYS = `select friendly_name as nome, encode(credential_id, 'base64') as identificador,
    encode(public_key, 'base64') as chave_publica, created_at as criada_em, last_used_at as usada_em
  from auth.passkeys where user_id = $1 order by created_at, id`;
const SIGN_INS = `select user_agent as aparelho, address as endereco, created_at as entrou_em, last_seen_at as visto_em,
    ended_at as encerrada_em
  from auth.sessions where user_id = $1 order by created_at, id`;

const PUSHED_TO = `select s.user_agent as aparelho, p.created_at as desde, p.seen_at as visto_em
  from auth.push_subscriptions p left join auth.sessions s on s.id = p.session_id
  where p.user_id = $1 order by p.created_at, p.id`;

const ACTIVITY = `select event as evento, at as quando, user_agent as aparelho, address as endereco
  from auth.security_events where user_id = $1 order by at, id`;

/** Signed copies whose key still exists, of these students or of all. */
const KEPT_FILES = `select f.id from kept_files f
  join person_keys k on k.tenant_id = f.tenant_id and k.person_id = f.key_id
  where k.wrapped_key is not null and ($1::uuid[] is null or f.person_id = any($1)) order by f.kept_at, f.id`;
/** A student, and all who were merged into them: what was only theirs, such as old requests, is still under their ids. */
const SAME = 'select same_student($1) as id';
const KEPT_FILE = `select f.tenant_id, f.id, f.key_id, f.sealed, k.wrapped_key from kept_files f
  join person_keys k on k.tenant_id = f.tenant_id and k.person_id = f.key_id where f.id = $1`;

export interface OwnMembership {
  tenant_id: string;
  slug: string;
  timezone: string;
  role: 'personal' | 'aluno';
  student_id: string | null;
  personal: string | null;
  /** The student's name; null for a trainer. */
  aluno: string | null;
}

interface InFolder extends OwnMembership {
  /** The student with all who were merged into them; none for a trainer. */
  ids: readonly string[];
  /** Its folder in the archive. */
  pasta: string;
}

const README = `O que há nesta cópia
====================

Ela tem tudo o que o Rende guarda sobre você, como estava no momento em que foi feita.

conta.json          seu cadastro, seus acessos e os negócios dos quais você faz parte
negocio-.../        o que é do seu negócio, como personal: alunos, sessões, créditos, lançamentos, planos,
                    locais, políticas, configurações, e em historico.json tudo o que aconteceu, em ordem
aluno-de-.../       o que é seu como aluno: seu cadastro, suas sessões e seus créditos. As anotações do seu
                    personal são dele: peça a ele. Quem acompanha vários alunos de um personal tem uma pasta
                    para cada um: conta.json diz de quem é.
contratos-assinados o PDF de cada contrato assinado, com as evidências da assinatura.
arquivo-completo    em negocio-.../, o negócio inteiro em um arquivo .jsonl assinado, de que outro Rende pode continuar.
                    Para conferir que ninguém o mudou, sem o Rende, com o Node 20 ou mais novo:
                    node verificar-arquivo.mjs arquivo-completo.jsonl

Os arquivos .json estão em UTF-8 e abrem em qualquer editor de texto. Neles, valores em dinheiro estão em centavos
(48000 é R$ 480,00), momentos em UTC, dias como AAAA-MM-DD.
Alunos, sessões, créditos e lançamentos vêm também como planilhas (.csv), que abrem no Excel e no Google Planilhas: valores
em reais, dias como 26/11/2026, momentos no fuso do seu negócio. Um apóstrofo antes de + - = ou @ impede que o texto vire fórmula.

Guarde esta cópia com cuidado: nela há dados pessoais, seus e dos seus alunos.
`;

/** Writes the export of a person's data from one snapshot, holding one fetch of rows in memory at a time. */
@Injectable()
export class ExportWriter {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly secrets: Secrets,
    readonly codec: EventCodec,
    readonly personalData: PersonalData,
    private readonly features: FeatureRegistry,
  ) {}

  /** The bytes of a zip. */
  async *write(userId: string): AsyncGenerator<Buffer> {
    const client = await this.database.reports.connect();
    try {
      await client.query(SNAPSHOT);
      const { rows } = await client.query<OwnMembership>(MEMBERSHIPS, [userId]);
      const memberships: InFolder[] = [];
      for (const membership of inFolders(rows))
        memberships.push({ ...membership, ids: await this.sameAs(client, membership) });
      const kept = [];
      for (const membership of memberships)
        kept.push({ membership, ids: await this.keptFiles(client, membership) });
      const zip = new ZipFile();
      const out = zip.outputStream as Readable;
      // The error of a file is reported by the stream of the whole archive.
      const fail = (error: Error) => void out.destroy(error);
      const add = (name: string, content: () => AsyncIterable<string | Buffer>) =>
        zip.addReadStreamLazy(name, (done) =>
          done(null, Readable.from(content(), { objectMode: false }).on('error', fail)),
        );
      zip.addBuffer(Buffer.from(README), 'LEIA-ME.txt');
      add('conta.json', () => this.account(client, userId, memberships));
      for (const membership of memberships) this.addTenant(add, client, membership, userId);
      for (const { membership, ids } of kept) this.addFiles(add, client, membership, ids);
      zip.end();
      yield* out as AsyncIterable<Buffer>;
      await client.query('commit');
      client.release();
    } catch (error) {
      await abandon(client);
      throw error;
    }
  }

  private async sameAs(client: pg.ClientBase, { tenant_id, student_id }: OwnMembership): Promise<string[]> {
    if (student_id === null) return [];
    await client.query(SET_TENANT, [tenant_id]);
    const { rows } = await client.query<{ id: string }>(SAME, [student_id]);
    return rows.map(({ id }) => id);
  }

  private async keptFiles(
    client: pg.ClientBase,
    { tenant_id: tenantId, role, ids }: InFolder,
  ): Promise<string[]> {
    await client.query(SET_TENANT, [tenantId]);
    const { rows } = await client.query<{ id: string }>(KEPT_FILES, [role === 'personal' ? null : ids]);
    return rows.map(({ id }) => id);
  }

  /** Adds signed copies; each file is read only when it is written to the zip. */
  private addFiles(
    add: (name: string, content: () => AsyncIterable<Buffer>) => void,
    client: pg.ClientBase,
    { tenant_id: tenantId, pasta }: InFolder,
    ids: readonly string[],
  ): void {
    const { personalData } = this;
    for (const id of ids)
      add(`${pasta}/contratos-assinados/${id}.pdf`, async function* () {
        await client.query(SET_TENANT, [tenantId]);
        const [file] = (await client.query<SealedFile>(KEPT_FILE, [id])).rows;
        const content = file && openKeptFile(personalData, file);
        if (content) yield content;
      });
  }

  private addTenant(
    add: (name: string, content: () => AsyncIterable<string | Buffer>) => void,
    client: pg.ClientBase,
    membership: InFolder,
    userId: string,
  ): void {
    const { tenant_id: tenantId, timezone, role, ids, pasta } = membership;
    const isOwn = role === 'personal';
    const inSight = (content: () => AsyncIterable<string>) =>
      async function* (): AsyncGenerator<string> {
        await client.query(SET_TENANT, [tenantId]);
        yield* content();
      };
    for (const { name, sql, isSheet } of sectionsFor(role, this.features.all.ownData)) {
      const rows = () => fetchedFor(client, sql, isOwn ? [[]] : ids.map((id) => [id]));
      add(
        `${pasta}/${name}.json`,
        inSight(() => jsonOf(rows())),
      );
      if (isSheet)
        add(
          `${pasta}/${name}.csv`,
          inSight(() => csvOf(rows(), timezone)),
        );
    }
    if (!isOwn) return;
    add(
      `${pasta}/historico.json`,
      inSight(() => jsonOf(this.history(client, membership))),
    );
    add(
      `${pasta}/arquivo-completo.jsonl`,
      inSight(() => writeTenantArchive(client, this.config, { tenantId, userId }, this)),
    );
    add(`${pasta}/verificar-arquivo.mjs`, () => createReadStream(VERIFIER, 'utf8'));
  }

  private async *account(
    client: pg.ClientBase,
    userId: string,
    memberships: readonly InFolder[],
  ): AsyncGenerator<string> {
    const [user, profile, identities, factors, passkeys, signIns, pushedTo, activity] = [
      USER,
      PROFILE,
      IDENTITIES,
      FACTORS,
      PASSKEYS,
      SIGN_INS,
      PUSHED_TO,
      ACTIVITY,
    ].map((text) => client.query<Record<string, unknown>>(text, [userId]));
    const sealed = (await profile!).rows[0]?.sealed as Buffer | null;
    const told = sealed ? (JSON.parse(this.secrets.open(sealed, userId).toString('utf8')) as object) : {};
    yield JSON.stringify(
      {
        usuario: { ...(await user!).rows[0], ...told },
        negocios: memberships.map(
          ({ tenant_id, personal, slug, timezone, role, student_id, aluno, pasta }) => ({
            tenant_id,
            personal,
            slug,
            fuso_horario: timezone,
            papel: role,
            student_id,
            aluno,
            pasta,
          }),
        ),
        contas_ligadas: (await identities!).rows,
        segundo_fator: (await factors!).rows,
        chaves_de_acesso: (await passkeys!).rows,
        acessos: (await signIns!).rows,
        aparelhos_notificados: (await pushedTo!).rows,
        atividade: (await activity!).rows,
      },
      null,
      2,
    );
  }

  /** The whole log: each event as a sentence, and with all its data. */
  private async *history(
    client: pg.ClientBase,
    { tenant_id: tenantId, timezone }: OwnMembership,
  ): AsyncGenerator<object> {
    const { history } = this.features.all;
    for await (const rows of batches<HistoryRow>(client, HISTORY, [tenantId])) {
      const events = await decodeAll(client, rows, this);
      for (const [at, { position, recordedAt, type, data }] of events.entries()) {
        const { quem, user_agent } = rows[at]!;
        yield {
          posicao: position,
          quando: recordedAt,
          quem,
          dispositivo: deviceName(user_agent),
          texto: history[type]?.words(data, timezone) ?? null,
          evento: type,
          dados: withoutSecrets(data),
        };
      }
    }
  }
}

/** Numbers the folders of several students of one trainer. */
function inFolders(memberships: readonly OwnMembership[]): Omit<InFolder, 'ids'>[] {
  const used = new Map<string, number>();
  return memberships.map((membership) => {
    const folder = `${membership.role === 'personal' ? 'negocio' : 'aluno-de'}-${membership.slug}`;
    const nth = (used.get(folder) ?? 0) + 1;
    used.set(folder, nth);
    return { ...membership, pasta: nth === 1 ? folder : `${folder}-${nth}` };
  });
}

/** What opens or proves something: hashes of links and of codes, and keys to a bank or to WhatsApp. */
const SECRETS = new Set(['token_hash', 'codigo_hash', ...OUTSIDE_KEYS]);

/** Events in a file that is passed on name no secrets, at any depth. */
const withoutSecrets = (data: object): unknown =>
  JSON.parse(JSON.stringify(data, (name, value: unknown) => (SECRETS.has(name) ? undefined : value)));

/** The rows for each of these lists of values. */
async function* fetchedFor(client: pg.ClientBase, sql: string, all: unknown[][]): AsyncGenerator<object> {
  for (const values of all) yield* fetched<object>(client, sql, values);
}

/** A JSON array with one row on each line. */
async function* jsonOf(rows: AsyncIterable<object>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const row of rows) {
    yield before + JSON.stringify(row);
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}
