import 'reflect-metadata';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { AppModule } from './app.module.js';
import { backup, verifyBackup } from './platform/backup/backup.js';
import { forgetAgain } from './platform/backup/forget-again.js';
import { restore } from './platform/backup/restore.js';
import { importTenantArchive } from './platform/backup/tenant-archive-import.js';
import { lastAt, nameAt, newestIn, rotate } from './platform/backup/rotation.js';
import { type Config, readConfig } from './platform/config/env.js';
import { createPool } from './platform/database/pools.js';
import { Audit } from './platform/event-store/audit.js';
import { EventCodec } from './platform/event-store/event-codec.js';
import { ForgottenList } from './platform/event-store/forgotten-list.js';
import { GuardRebuild } from './platform/event-store/guard-rebuild.js';
import { refuseOtherMasterKey } from './platform/event-store/master-key.js';
import { PersonalData } from './platform/event-store/personal-data.js';
import { featuresOf } from './platform/features.js';
import { plural } from './platform/plural.api.js';
import { ProjectionBuilder } from './platform/projections/projection-builder.js';
import { ProjectorPool } from './platform/projections/projector-pool.js';

/** How often a process with `--daily` checks whether its next backup is due. */
const BACKUP_CHECK_MS = 60_000;

function optionsOf(words: string[], names: readonly string[], usage: string) {
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
    return parseArgs({ args: words, options, allowPositionals: true });
  } catch {
    throw new Error(`Opção desconhecida. Uso: ${usage}`);
  }
}

/** Where a command's lines go. */
interface Voice {
  print: (line: string) => void;
  complain: (line: string) => void;
}

/** Returns the exit code. */
type Command = (...words: string[]) => Promise<number>;

function commandsFor(config: Config, { print, complain }: Voice): Record<string, Command> {
  const features = featuresOf(AppModule);
  const personalData = new PersonalData(config);
  const codec = new EventCodec(features, personalData);
  const guards = new GuardRebuild(features, codec);

  async function asOwner<Result>(work: (client: pg.ClientBase) => Promise<Result>): Promise<Result> {
    if (!config.databaseOwnerUrl) throw new Error('Informe DATABASE_OWNER_URL.');
    const pool = createPool(config.databaseOwnerUrl, {
      max: 1,
      searchPath: 'public,read',
      applicationName: 'rende-cli',
    });
    const client = await pool.connect();
    try {
      await client.query('set statement_timeout = 0');
      return await work(client);
    } finally {
      client.release(true);
      await pool.end();
    }
  }

  async function asBuilder<Result>(work: (builder: ProjectionBuilder) => Promise<Result>): Promise<Result> {
    if (!config.databaseProjectorUrl) throw new Error('Informe DATABASE_PROJECTOR_URL.');
    const pool = new ProjectorPool(config);
    try {
      // Open screens hear of it from nobody: their next read has the new rows.
      return await work(new ProjectionBuilder(pool, features, { codec, personalData }, () => undefined));
    } finally {
      await pool.onApplicationShutdown();
    }
  }

  /** Audits every tenant and prints the findings. Returns their number. */
  async function verifyAll(): Promise<number> {
    const audit = new Audit(guards, codec);
    return asOwner(async (client) => {
      const tenants = await audit.tenants(client);
      const findings = await audit.verify(client, tenants);
      for (const { tenantId, position, message } of findings)
        complain(`${tenantId}${position ? ` posição ${position}` : ''}: ${message}`);
      const broken = findings.length;
      print(
        broken
          ? `${plural(broken, 'problema', 'problemas')} em ${plural(tenants.length, 'tenant', 'tenants')}.`
          : `${plural(tenants.length, 'tenant íntegro', 'tenants íntegros')}.`,
      );
      return broken;
    });
  }

  async function backUp(file: string): Promise<void> {
    const sums = Object.values(await backup(config, file));
    print(`${file}: ${sums.length} tabelas, ${sums.reduce((sum, { rows }) => sum + rows, 0)} linhas.`);
    print(
      `Para ler este backup é preciso a RENDE_MASTER_KEY; para restaurar, também a lista ${config.forgottenFile}. Nenhuma das duas está nele: guarde cópias.`,
    );
  }

  /** Makes one more backup in a folder. Deletes the older ones only after the new one was read back and verified. */
  async function backUpAndRotate(folder: string, keep: number): Promise<void> {
    const now = new Date();
    const file = join(folder, nameAt(now));
    await backUp(file);
    await verifyBackup(config, file).catch(async (error: unknown) => {
      await rm(file);
      throw error;
    });
    const removed = await rotate(folder, keep, now);
    print(`Conferido.${removed.length > 0 ? ` Removidos: ${removed.join(', ')}.` : ''}`);
  }

  /** Makes a backup each day at this time of the local clock until the process ends; at once where the last one is missing. */
  async function backUpDaily(folder: string, keep: number, time: string): Promise<never> {
    const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
    if (!hour || !minute) throw new Error('--daily é a hora do dia, como 03:30.');
    for (;;) {
      const newest = await newestIn(folder);
      if (!newest || newest < lastAt(Number(hour), Number(minute), new Date()))
        await backUpAndRotate(folder, keep).catch((error: Error) =>
          complain(`${error.message} O backup será tentado de novo em um minuto.`),
        );
      await delay(BACKUP_CHECK_MS);
    }
  }

  async function rebuildAll(builder: ProjectionBuilder): Promise<void> {
    for (const name of builder.names) {
      const parked = await builder.rebuild(name);
      if (parked > 0) complain(`${name}: ${plural(parked, 'tenant', 'tenants')} com falha`);
    }
  }

  const commands: Record<string, Command> = {
    async 'projections:rebuild'(name) {
      return asBuilder(async (builder) => {
        if (!name) throw new Error(`Informe a projeção: ${builder.names.join(', ')} ou all.`);
        let failed = 0;
        for (const each of name === 'all' ? builder.names : [name]) {
          const started = performance.now();
          const parked = await builder.rebuild(each);
          failed += parked;
          if (parked === 0) print(`${each}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
          else
            complain(
              `${each}: ${plural(parked, 'tenant', 'tenants')} com falha, para os quais ficam as linhas de antes.`,
            );
        }
        return failed === 0 ? 0 : 1;
      });
    },

    async 'guards:rebuild'(tenantId) {
      if (!tenantId) throw new Error('Informe o tenant: npm run guards:rebuild -- <tenant>.');
      await asOwner((client) => guards.rebuild(client, tenantId));
      print(`Guardas de ${tenantId} reconstruídas.`);
      return 0;
    },

    async 'audit:verify'() {
      return (await verifyAll()) === 0 ? 0 : 1;
    },

    async backup(...words) {
      const usage =
        'npm run backup -- <arquivo>, ou npm run backup -- --keep <quantos> [--daily HH:MM] <pasta>.';
      const { values, positionals } = optionsOf(words, ['keep', 'daily'], usage);
      const [place] = positionals;
      if (!place || positionals.length > 1) throw new Error(`Informe o destino. Uso: ${usage}`);
      if (!values.keep && !values.daily) await backUp(place);
      else if (!/^[1-9]\d{0,3}$/.test(values.keep ?? ''))
        throw new Error(`--keep é o número de backups que ficam. Uso: ${usage}`);
      else if (values.daily === undefined) await backUpAndRotate(place, Number(values.keep));
      else await backUpDaily(place, Number(values.keep), values.daily);
      return 0;
    },

    async 'archive:import'(...words) {
      const usage = 'npm run archive:import -- <arquivo> [--email <endereço>] [--key <chave pública>].';
      const { values, positionals } = optionsOf(words, ['email', 'key'], usage);
      const [file] = positionals;
      if (!file || positionals.length > 1) throw new Error(`Informe o arquivo. Uso: ${usage}`);
      const forgotten = await new ForgottenList(config).read();
      const { tenantId, events, files, email, otherSlug, withAccount } = await asOwner((client) =>
        importTenantArchive(
          client,
          config,
          { file, ...values, forgotten },
          { codec, personalData, features, guards },
        ),
      );
      const again = forgotten.filter((entry) => 'context' in entry && entry.context.tenantId === tenantId);
      if (again.length > 0) await forgetAgain([AppModule], config, again);
      await asBuilder(async (builder) => {
        await builder.register();
        await builder.build(false);
      });
      print(
        `Importado: ${plural(events, 'registro', 'registros')} e ${plural(files, 'contrato assinado', 'contratos assinados')}.`,
      );
      if (again.length > 0)
        print(`Lista de dados apagados: ${plural(again.length, 'pessoa', 'pessoas')} deste negócio.`);
      print(`O personal entra com ${email}: em "Esqueci minha senha" ele escolhe a nova.`);
      if (otherSlug !== null)
        print(`O endereço da página pública já era de outro personal: agora é /p/${otherSlug}.`);
      if (withAccount > 0)
        print(
          `${plural(withAccount, 'aluno entrava', 'alunos entravam')} com conta própria: encerre o acesso e convide de novo.`,
        );
      return 0;
    },

    async restore(...words) {
      // A drill drops its database afterwards.
      const isDrill = words[0] === '--drill';
      const file = words[isDrill ? 1 : 0];
      if (!file) throw new Error('Informe o arquivo: npm run restore -- <arquivo>.');
      const forgettings = await new ForgottenList(config).read();
      await restore(config, file, {
        rebuildAll: () => asBuilder(rebuildAll),
        verify: verifyAll,
        say: print,
        async forgetAgain() {
          if (forgettings.length === 0) return;
          const known = await forgetAgain([AppModule], config, forgettings);
          print(
            `Lista de dados apagados: ${plural(forgettings.length, 'pessoa', 'pessoas')}, ${known} neste backup.`,
          );
        },
      });
      if (!isDrill) print('Restaurado. O Rende já pode ser iniciado; todos precisarão fazer login de novo.');
      return 0;
    },
  };

  for (const [name, run] of Object.entries(features.all.commands)) {
    commands[name] = async (...words) => {
      print(await asOwner((client) => run(config, client, words)));
      return 0;
    };
  }

  return commands;
}

/** Runs the command that these words name, such as `audit:verify`, in this or its own environment. Returns the exit code. */
export async function runCommand(
  [name = '', ...words]: readonly string[],
  env: NodeJS.ProcessEnv | undefined,
  voice: Voice,
): Promise<number> {
  try {
    const config = readConfig(env);
    const commands = commandsFor(config, voice);
    const command = commands[name];
    if (!command) {
      voice.complain(`Comandos: ${Object.keys(commands).join(', ')}`);
      return 2;
    }
    // A restore uses the master key of the backup, which then becomes that of the database.
    if (name !== 'restore') await refuseOtherMasterKey(config);
    return await command(...words);
  } catch (error) {
    voice.complain((error as Error).message);
    return 1;
  }
}

export async function main(): Promise<void> {
  process.exitCode = await runCommand(process.argv.slice(2), undefined, {
    print: (line) => void process.stdout.write(`${line}\n`),
    complain: (line) => void process.stderr.write(`${line}\n`),
  });
}
