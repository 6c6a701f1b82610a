import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ToldContact } from '../../../backend/modules/told-contacts/told-contacts.api.js';
import { formatPhone } from '../../../backend/modules/students/phone-format.api.js';
import { firstName } from '../../../backend/platform/first-name.api.js';
import { Sheet } from '../ui/sheet.js';
import { standBefore, whatsAppOpened } from '../ui/open-whatsapp.js';
import { useToldContacts } from './told-contacts.queries.js';
import { useAnswerTold } from './told-question.js';
import classes from './told-question.module.css';

const NUMBER = /^https:\/\/wa\.me\/(\d+)/;

interface Asked {
  nth: number;
  href: string;
  told: ToldContact;
}

/**
 * Stands before every link to WhatsApp (`guardWhatsApp`): where the student told another number and the trainer has not
 * answered, it asks which one it is to be.
 */
export default function OtherNumber() {
  const { data: all = [], isLoading, failureCount } = useToldContacts();
  /** What fails is not waited for. */
  const isReading = isLoading && failureCount === 0;
  const [asked, ask] = useState<Asked | null>(null);
  const [isOpen, setOpen] = useState(false);
  const asks = useEffectEvent((href: string): boolean => {
    const number = NUMBER.exec(href)?.[1];
    const told = all.find(({ campo, atual }) => campo === 'whatsapp' && atual === `+${number}`);
    if (!told) return false;
    ask({ nth: (asked?.nth ?? 0) + 1, href, told });
    setOpen(true);
    return true;
  });
  useEffect(() => (isReading ? undefined : standBefore((href) => asks(href))), [isReading]);
  // Mounted anew each time, so that it lies over the sheet in which the link stands.
  return (
    asked && (
      <Sheet
        key={asked.nth}
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={`${firstName(asked.told.nome)} informou outro número`}
        middle
        withoutAddress
      >
        <Choice {...asked} onChosen={() => setOpen(false)} />
      </Sheet>
    )
  );
}

function Choice({ href, told, onChosen }: Omit<Asked, 'nth'> & { onChosen: () => void }) {
  const { answer } = useAnswerTold(told);
  const { valor, atual, dividido } = told;
  const first = firstName(told.nome);
  const open = { component: 'a', target: '_blank', rel: 'noreferrer', 'data-chosen': true } as const;
  const choose = (resposta: 'atualizar' | 'manter' | null) => () => {
    onChosen();
    whatsAppOpened();
    if (resposta) void answer(resposta);
  };
  return (
    <div className={classes.question}>
      <p className={classes.asked}>
        Na própria conta, sem confirmação: <strong>{formatPhone(valor)}</strong>
      </p>
      <p className={classes.now}>No cadastro: {formatPhone(atual!)}</p>
      {dividido ? (
        <>
          <p className={classes.now}>
            Outro aluno tem este número no cadastro: a mensagem pode ser para outra pessoa.
          </p>
          <Button {...open} href={href} onClick={choose(null)}>
            Abrir o do cadastro
          </Button>
          <Button component={Link} to={`/alunos/${told.id}`} variant="subtle" onClick={onChosen}>
            Ver {first}
          </Button>
        </>
      ) : (
        <>
          <Button
            {...open}
            href={href.replace(NUMBER, `https://wa.me/${valor.slice(1)}`)}
            onClick={choose('atualizar')}
          >
            Atualizar e abrir o novo
          </Button>
          <Button {...open} variant="default" href={href} onClick={choose('manter')}>
            Manter e abrir o do cadastro
          </Button>
          <Button {...open} variant="subtle" href={href} onClick={choose(null)}>
            Abrir o do cadastro e decidir depois
          </Button>
        </>
      )}
    </div>
  );
}
