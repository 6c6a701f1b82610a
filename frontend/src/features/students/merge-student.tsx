import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import type { ComparedField, MergePreview } from '../../../../backend/modules/merging/merging.api.js';
import { studentsToMerge, type StudentsToMerge } from '../../../../backend/modules/merging/merging.api.js';
import { formatPhone } from '../../../../backend/modules/students/phone-format.api.js';
import { dueDayInWords } from '../../../../backend/modules/plans/monthly-terms.api.js';
import type { KnownStudent } from '../../../../backend/modules/students/students.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { read } from '../../lib/calls.js';
import { useSend, useSendTo } from '../../lib/command.js';
import { formatDate } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { maskCpf } from '../../lib/masks.js';
import { useMoment } from '../../lib/moment.js';
import { formatMoney } from '../../lib/money.js';
import { messageOf } from '../../lib/problem.js';
import { useShown } from '../../lib/shown.js';
import { UndoSheet } from '../../parts/undo-sheet.js';
import { StudentField } from '../../parts/student-field.js';
import { ASK_PAST } from '../../ui/ask-past.js';
import { Facts } from '../../ui/facts.js';
import { FormStack, submitting } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { MoreMenu } from '../../ui/more-menu.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import { ToldBox } from '../../ui/told-box.js';
import classes from './students.module.css';
import { useMergePreview } from './students.queries.js';

/**
 * The rare actions of a student's page: its past (`?abrir=momento`), the dossier, which another feature shows (`?dossie`), merging
 * another record of the same person into this one, and undoing that. `?juntar=` opens the merging, with the id of the other record
 * if it is known.
 */
export function MergeStudent({ student }: { student: KnownStudent }) {
  const [chosen, setChosen] = useShown('juntar');
  const [, openDossier] = useShown('dossie');
  const { onAsk } = useMoment();
  const undo = useSendTo('POST /student-merges/:id/undo');
  const [parting, setParting] = useState<string | null>(null);
  const undoing = (id: string) => attempt(() => undo.mutateAsync(id), 'Erro ao desfazer a junção');
  const undone = async (id: string) => {
    if (await undoing(id)) toast.success('Junção desfeita');
  };
  return (
    <>
      <MoreMenu>
        <Menu.Item leftSection={<Icon name="clock" size={18} />} onClick={() => onAsk(true)}>
          {ASK_PAST}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="shield" size={18} />} onClick={() => openDossier('')}>
          Dossiê
        </Menu.Item>
        {!student.arquivado && (
          <Menu.Item leftSection={<Icon name="people" size={18} />} onClick={() => setChosen('')}>
            Juntar com outro cadastro
          </Menu.Item>
        )}
        {!student.esquecido &&
          student.juntados.map(({ id, nome }) => (
            <Menu.Item key={id} leftSection={<Icon name="undo" size={18} />} onClick={() => setParting(id)}>
              Desfazer junção com {nome ?? 'aluno apagado'}
            </Menu.Item>
          ))}
      </MoreMenu>
      {parting !== null && (
        <UndoSheet
          what="Desfazer junção"
          of={parting}
          price={(signal) => read('GET /student-merges/:id/undo/preview', { of: [parting], signal })}
          onUndo={() => undone(parting)}
          onClose={() => setParting(null)}
        />
      )}
      <Sheet
        opened={chosen !== null && !student.arquivado}
        onClose={() => setChosen(null)}
        title={`Juntar com ${student.nome}`}
        beginsAtField="typed"
      >
        <MergeForm student={student} chosen={chosen} onDone={() => setChosen(null)} undo={undoing} />
      </Sheet>
    </>
  );
}

interface MergeFormProps {
  student: KnownStudent;
  /** The other record at first; empty for none. */
  chosen: string | null;
  onDone: () => void;
  undo: (mergeId: string) => Promise<boolean>;
}

function MergeForm({ student, chosen, onDone, undo }: MergeFormProps) {
  const { mutateAsync } = useSend('POST /students/:id/merge', student.id);
  const form = useBodyForm({
    initialValues: { com: chosen || null },
    schema: studentsToMerge,
    toBody: ({ com }) => ({ com: com ?? undefined }),
    check: ({ com }) => (com === null ? { com: 'Escolha o outro cadastro' } : {}),
  });
  const { data: preview, error } = useMergePreview(student.id, form.values.com);
  const save = async (body: StudentsToMerge) => {
    const { id } = await mutateAsync(body);
    onDone();
    toast.success('Cadastros juntados', {
      description: `Tudo ficou em ${student.nome}.`,
      undo: () => undo(id),
      undone: 'Junção desfeita',
    });
  };
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao juntar os cadastros' })}>
      <StudentField
        label="Outro cadastro da mesma pessoa"
        except={[student.id]}
        standing="todos"
        {...form.getInputProps('com')}
      />
      {error && <ToldBox>{messageOf(error)}</ToldBox>}
      {preview && <Preview of={preview} />}
      <SheetActions>
        <Button
          type="submit"
          loading={form.submitting}
          disabled={form.values.com !== null && preview?.impedimentos.length !== 0}
        >
          Juntar
        </Button>
      </SheetActions>
    </FormStack>
  );
}

function Preview({ of: preview }: { of: MergePreview }) {
  const { fica, sai, impedimentos, acesso, dados } = preview;
  if (impedimentos.length > 0)
    return (
      <ToldBox>
        <p>Ainda não dá para juntar:</p>
        {impedimentos.map((why) => (
          <p key={why}>{why}</p>
        ))}
      </ToldBox>
    );
  return (
    <>
      <ToldBox>
        <p>
          Tudo de {sai.nome} passa para {fica.nome}, e o outro cadastro sai das listas. Dá para desfazer
          enquanto nada disso mudar.
        </p>
        {acesso.map((words) => (
          <p key={words}>{words}</p>
        ))}
      </ToldBox>
      <section>
        <h3 className={classes.title}>O que passa</h3>
        <Facts of={passing(preview)} />
      </section>
      <section>
        <h3 className={classes.title}>Como fica o cadastro</h3>
        <Facts of={dados.map((field) => [labels[field.campo], <Compared key={field.campo} of={field} />])} />
      </section>
    </>
  );
}

const labels: Record<ComparedField['campo'], string> = {
  nome: 'Nome',
  telefone: 'Telefone',
  whatsapp: 'WhatsApp',
  email: 'E-mail',
  cpf: 'CPF',
  nascimento: 'Nascimento',
  plano: 'Plano',
};

const shown: Partial<Record<ComparedField['campo'], (value: string) => string>> = {
  telefone: formatPhone,
  whatsapp: formatPhone,
  cpf: maskCpf,
  nascimento: formatDate,
};

/** What stays, and what the other record has instead: it is still in the history. */
function Compared({ of: { campo, fica, outro } }: { of: ComparedField }) {
  const inWords = shown[campo] ?? ((value: string) => value);
  return (
    <>
      {fica === null ? 'Nenhum' : inWords(fica)}
      {outro !== null && <span className={classes.other}>o outro tem {inWords(outro)}</span>}
    </>
  );
}

function passing(preview: MergePreview): (readonly [string, string | false])[] {
  const { sessoes_futuras, sessoes_passadas, horarios_fixos, creditos, saldo } = preview;
  const { cobrancas_abertas, valor_aberto, recebido, recibos, contratos, anotacoes, mensalidade } = preview;
  const facts = [
    [
      'Sessões',
      listed(some(sessoes_futuras, 'a fazer', 'a fazer'), some(sessoes_passadas, 'passada', 'passadas')),
    ],
    ['Horários fixos', horarios_fixos > 0 && String(horarios_fixos)],
    ['Créditos', listed(...creditos.map(lotInWords))],
    ['Saldo depois', plural(saldo, 'crédito', 'créditos')],
    [
      'Em aberto',
      cobrancas_abertas > 0 &&
        `${formatMoney(valor_aberto)} em ${plural(cobrancas_abertas, 'cobrança', 'cobranças')}`,
    ],
    ['Recebido', recebido > 0 && formatMoney(recebido)],
    [
      'Mensalidade',
      mensalidade && `${formatMoney(mensalidade.valor)}, no ${dueDayInWords(mensalidade.vence_dia)}`,
    ],
    ['Recibos', recibos > 0 && String(recibos)],
    ['Contratos', contratos > 0 && String(contratos)],
    ['Anotações', anotacoes > 0 && String(anotacoes)],
  ] as const;
  return facts.map(([name, value]) => [name, value || false]);
}

const some = (count: number, one: string, other: string) => count > 0 && plural(count, one, other);
const listed = (...parts: (string | false)[]) => parts.filter(Boolean).join(', ') || false;

/** `8 até 30/12/2026` */
const lotInWords = ({ quantidade, expira_em, reposicao }: MergePreview['creditos'][number]) =>
  `${reposicao ? plural(quantidade, 'reposição', 'reposições') : quantidade}${expira_em === null ? ' sem validade' : ` até ${formatDate(expira_em)}`}`;
