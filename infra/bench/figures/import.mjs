import { randomUUID } from 'node:crypto';
import { Api } from '../../demo/api.mjs';
import { newAccount } from '../../demo/people.mjs';
import { line } from '../measure.mjs';

/** The maximum of lines in a file, and in a request. */
const LINES = 5_000;
const LINES_AT_ONCE = 50;

/** Imports a whole file of students, in portions sent one after the other, as the page does; each round for another trainer. */
export async function importOfStudents(stage, { quick }) {
  const server = await stage.server(await stage.database(), 'api,worker');
  const importOnce = async () => {
    const api = new Api(server.url);
    await api.signUp(newAccount('Planilha Cheia'));
    const import_id = randomUUID();
    const started = performance.now();
    for (let first = 1; first <= LINES; first += LINES_AT_ONCE) {
      const linhas = Array.from({ length: LINES_AT_ONCE }, (_, n) => lineOf(first + n));
      await api.write('POST', '/student-imports', { import_id, linhas });
    }
    const sent = performance.now();
    // Wait until all imported students can be read.
    let total = 0;
    while (total < LINES) ({ total } = await api.read('/students?limit=1'));
    return { sent: (sent - started) / 1000, listed: (performance.now() - started) / 1000 };
  };
  const rounds = [];
  for (let round = 0; round < (quick ? 1 : 3); round += 1) rounds.push(await importOnce());
  await server.close();
  return {
    title: `Importar uma planilha de ${LINES} alunos`,
    lines: [
      line(
        'até a última linha gravada',
        's',
        rounds.map(({ sent }) => sent),
      ),
      line(
        'até todos estarem na lista',
        's',
        rounds.map(({ listed }) => listed),
      ),
    ],
  };
}

const lineOf = (linha) => ({
  linha,
  aluno: {
    nome: `Aluno ${linha} da Planilha`,
    whatsapp: `+55119${10_000_000 + linha}`,
    email: `aluno.${linha}@example.com`,
    observacoes: 'Prefere treinar cedo.',
    nascimento: '1990-05-17',
  },
  etiquetas: ['Planilha'],
  saldo: [{ quantidade: 4, expira_em: '2090-12-31' }],
});
