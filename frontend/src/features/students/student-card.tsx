import { ActionIcon, Button, Menu } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { useNetwork } from '@mantine/hooks';
import { memo, type ReactNode, startTransition, useState } from 'react';
import { Link } from 'react-router-dom';
import { LOW_BALANCE } from '../../../../backend/modules/credits/credits.api.js';
import type { Student } from '../../../../backend/modules/students/students.api.js';
import { ItemCard } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { Initials } from '../../ui/initials.js';
import { CreditTag } from './credit-tag.js';
import type { ShownStudent } from './pending-student.js';
import { formatPhone } from './phone.js';
import classes from './students.module.css';
import { RestoreButton } from '../../ui/restore-button.js';
import { useInviteLink } from './use-invite-link.js';
import { useStandingActions } from './use-standing-actions.js';

interface StudentCardProps {
  student: ShownStudent;
  renew: (student: Student) => ReactNode;
  pending: (studentId: string) => ReactNode;
}

export const StudentCard = memo(function StudentCard({ student, renew, pending }: StudentCardProps) {
  const phone = student.whatsapp ?? student.telefone;
  const { online } = useNetwork();
  const none = online ? 'Sem contato' : 'Contato não guardado neste aparelho';
  const contact = phone ? formatPhone(phone) : (student.email ?? none);

  return (
    <ItemCard
      lead={<Initials id={student.id} name={student.nome} />}
      title={<Link to={`/alunos/edit/${student.id}`}>{student.nome}</Link>}
      subtitle={student.esquecido ? 'Sem dados pessoais' : contact}
      tags={<CreditTag credits={student.creditos} />}
      actions={
        student.esquecido ? <OpenButton student={student} /> : <Actions student={student} renew={renew} />
      }
    >
      <div className={classes.facts}>
        <div>
          Plano: {student.plano?.nome ?? 'Sem plano'}
          {pending(student.id)}
          {student.pendente && <PendingMark />}
        </div>
        {student.observacoes && <div className={classes.notes}>{student.observacoes}</div>}
      </div>
      {!student.arquivado && student.creditos <= LOW_BALANCE && (
        <p className={classes.warning}>
          <Icon name="alert" size={16} />
          Saldo baixo - Sugerir renovação do plano
        </p>
      )}
    </ItemCard>
  );
});

function OpenButton({ student }: { student: Student }) {
  return (
    <Button
      component={Link}
      to={`/alunos/edit/${student.id}`}
      size="sm"
      variant="default"
      leftSection={<Icon name={student.esquecido ? 'right' : 'edit'} size={18} />}
    >
      {student.esquecido ? 'Abrir' : 'Editar'}
    </Button>
  );
}

function Actions({ student, renew }: Omit<StudentCardProps, 'pending'>) {
  const { archive, restore, remove, busy } = useStandingActions(student);
  const { inviteAndCopy } = useInviteLink();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <OpenButton student={student} />
      {student.arquivado ? (
        <RestoreButton size="sm" variant="light" loading={busy} onClick={restore} />
      ) : (
        student.plano && student.plano.creditos > 0 && renew(student)
      )}
      <Menu
        position="bottom-end"
        radius="md"
        shadow="md"
        opened={opened}
        // The button answers the tap before the menu is drawn.
        onChange={(next) => startTransition(() => setOpened(next))}
      >
        <Menu.Target>
          <ActionIcon data-square aria-label={`Mais ações de ${student.nome}`}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!student.arquivado && (
            <Menu.Item
              component={Link}
              to={`/cobrancas?novo=cobranca&aluno=${student.id}${student.plano ? `&plano=${student.plano.id}` : ''}`}
              leftSection={<Icon name="wallet" size={18} />}
            >
              Cobrar
            </Menu.Item>
          )}
          {!student.arquivado && (
            <Menu.Item
              onClick={() => void inviteAndCopy(student)}
              leftSection={<Icon name="link" size={18} />}
            >
              Gerar Link de Convite
            </Menu.Item>
          )}
          {!student.arquivado && (
            <Menu.Item onClick={archive} leftSection={<Icon name="archive" size={18} />}>
              Inativar
            </Menu.Item>
          )}
          <Menu.Item c="var(--rende-bad)" onClick={remove} leftSection={<Icon name="trash" size={18} />}>
            Excluir
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
