import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Payer } from '../../../../backend/modules/payers/payers.api.js';
import { formatDocument } from '../../../../backend/modules/students/document.api.js';
import { formatPhone } from '../../../../backend/modules/students/phone-format.api.js';
import { whatsAppAddress } from '../../../../backend/platform/whatsapp.api.js';
import { useSendTo } from '../../lib/command.js';
import { ForgetPerson, keptByLaw } from '../../parts/forget-person.js';
import { History } from '../../parts/history.js';
import { StudentField } from '../../parts/student-field.js';
import { useStudentName } from '../../parts/students.queries.js';
import { Card } from '../../ui/card.js';
import { Facts } from '../../ui/facts.js';
import { IconAction, IconActions } from '../../ui/icon-actions.js';
import { Initials } from '../../ui/initials.js';
import { Notice } from '../../ui/notice.js';
import { Page, Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Sheet } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import { PayerBill } from './payer-bill.js';
import { PayerAccess, reachedBy } from './payer-access.js';
import { EditPayerForm } from './payer-form.js';
import { forgetPreview, useChoosePayer, usePayer, usePayerAccess, useRemovePayer } from './payers.queries.js';

/** A payer: contact, students, history, and how to end it. */
export function PayerPage({ id }: { id: string }) {
  const payer = usePayer(id);
  const [editing, setEditing] = useState(false);
  const known = payer.data && !payer.data.esquecido ? payer.data : undefined;
  return (
    <Page
      title={payer.data?.nome ?? 'Pagador'}
      back="/pagadores"
      width="narrow"
      action={
        known && (
          <Button size="sm" variant="default" onClick={() => setEditing(true)}>
            Editar
          </Button>
        )
      }
    >
      <Async of={payer} failure="Erro ao carregar pagador" skeleton={<Skeletons count={3} height={120} />}>
        {(data) => (
          <>
            {data.esquecido ? (
              <Card>
                <Notice icon="shield" title="Os dados pessoais foram apagados">
                  Os recibos emitidos neste nome foram mantidos até o fim do prazo da lei.
                </Notice>
              </Card>
            ) : (
              <>
                <Contact payer={data} />
                <PayerBill payer={data} />
                <Students payer={data} />
                {data.alunos.length > 0 && <PayerAccess payer={data} />}
              </>
            )}
            <Section title="Histórico">
              <History kind="payer" id={id} />
            </Section>
            {!data.esquecido && <End payer={data} />}
          </>
        )}
      </Async>
      <Sheet
        opened={editing}
        onClose={() => setEditing(false)}
        title="Editar pagador"
        beginsAtField="typed"
        withoutAddress
      >
        {known && <EditPayerForm payer={known} onDone={() => setEditing(false)} />}
      </Sheet>
    </Page>
  );
}

function Contact({ payer: { documento, whatsapp, email } }: { payer: Payer }) {
  return (
    <Card fields>
      <Facts
        of={[
          ['WhatsApp', whatsapp && formatPhone(whatsapp)],
          ['E-mail', email],
          ['CPF ou CNPJ', documento ? formatDocument(documento) : 'Não informado'],
        ]}
      />
      {whatsapp && (
        <IconActions>
          <IconAction icon="chat" href={whatsAppAddress(whatsapp)}>
            WhatsApp
          </IconAction>
        </IconActions>
      )}
    </Card>
  );
}

function Students({ payer }: { payer: Payer }) {
  const [adding, setAdding] = useState(false);
  const nameOf = useStudentName();
  const choose = useChoosePayer();
  const add = (studentId: string | null) =>
    studentId &&
    attempt(async () => {
      const change = { id: studentId, payer_id: payer.id };
      await choose.mutateAsync({ ...change, se_ainda: { payer_id: null } });
      setAdding(false);
      toast.success(
        `${payer.nome} paga por ${nameOf(studentId) ?? 'este aluno'}`,
        takenBack(() => choose.mutateAsync({ ...change, payer_id: null, se_ainda: { payer_id: payer.id } })),
      );
    }, 'Erro ao definir quem paga');
  return (
    <Section
      title="Paga por"
      action={
        <Button size="sm" variant="subtle" onClick={() => setAdding(true)}>
          Adicionar aluno
        </Button>
      }
    >
      <Card flush>
        {payer.alunos.length === 0 && <Notice icon="people" title="Ainda não paga por ninguém" />}
        {payer.alunos.map(({ id, nome }) => (
          <Row key={id} to={`/alunos/${id}`} lead={<Initials id={id} name={nome} />} title={nome} />
        ))}
      </Card>
      <Sheet
        opened={adding}
        onClose={() => setAdding(false)}
        title="Adicionar aluno"
        beginsAtField="typed"
        middle
        withoutAddress
      >
        <StudentField
          label="Aluno"
          value={null}
          except={payer.alunos.map(({ id }) => id)}
          onChange={(id) => void add(id)}
        />
      </Sheet>
    </Section>
  );
}

function End({ payer }: { payer: Payer }) {
  const { id, nome, alunos } = payer;
  const navigate = useNavigate();
  const remove = useRemovePayer();
  const restore = useSendTo('POST /payers/:id/restore');
  const forget = useSendTo('POST /payers/:id/forget');
  const access = usePayerAccess(id);
  const reached = access.data ? reachedBy(access.data) : null;
  const end = () =>
    attempt(async () => {
      await remove.mutateAsync(id);
      await navigate('/pagadores', { replace: true });
      toast.success('Pagador excluído', {
        ...(alunos.length > 0 && {
          description: `Os alunos voltam a pagar por si.${reached ? ` A conta de ${nome} continua entrando na área de ${reached}: para encerrar, abra o cadastro de cada aluno.` : ''}`,
        }),
        ...takenBack(() => restore.mutateAsync(id), 'Exclusão desfeita'),
      });
    }, 'Erro ao excluir pagador');
  return (
    <div>
      <Button size="sm" variant="subtle" color="red" loading={remove.isPending} onClick={() => void end()}>
        Excluir pagador
      </Button>
      <ForgetPerson
        label="Apagar dados do pagador (LGPD)"
        title={`Apagar dados de ${nome}`}
        failure="Erro ao apagar os dados do pagador"
        forget={async () => {
          await forget.mutateAsync(id);
          toast.success('Dados do pagador apagados');
        }}
        preview={forgetPreview(id)}
        consequences={(preview) => [
          ['Será apagado', 'Nome, WhatsApp, e-mail e CPF ou CNPJ, também no histórico e nos backups.'],
          ['Será cancelado', 'O vínculo com os alunos, que voltam a pagar por si.'],
          ...(reached
            ? ([
                [
                  'Será mantido',
                  `A entrada da conta de ${nome} na área de ${reached}: encerre no cadastro de cada aluno.`,
                ],
              ] as const)
            : []),
          ...keptByLaw(preview?.permanece, 'recibos'),
        ]}
      />
    </div>
  );
}
