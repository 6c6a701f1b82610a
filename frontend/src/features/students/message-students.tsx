import { Button } from '@mantine/core';
import { useDeferredValue, useState } from 'react';
import type { ListedStudent } from '../../../../backend/modules/students/students.api.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { MessageCard } from '../../ui/message-card.js';
import { firstName } from '../../../../backend/platform/first-name.api.js';
import { whatsAppAddress } from '../../../../backend/platform/whatsapp.api.js';
import classes from './students.module.css';

const NAME = '{nome}';
const MOST = 1000;
/** Messages shown at once. */
const AT_ONCE = 20;

/** One text for many students, with each first name filled in, to be sent one after the other. */
export function MessageStudents({ students }: { students: readonly ListedStudent[] }) {
  const [text, setText] = useState(`Oi, ${NAME}! `);
  const written = useDeferredValue(text);
  const [shown, setShown] = useState(AT_ONCE);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  return (
    <div className={classes.messages}>
      <LongTextField
        label="Mensagem"
        description={`${NAME} vira o primeiro nome de cada aluno.`}
        minRows={3}
        maxLength={MOST}
        value={text}
        onChange={setText}
      />
      {students.slice(0, shown).map(({ id, nome, whatsapp, telefone }) => {
        const phone = whatsapp ?? telefone;
        const said = written.replaceAll(NAME, firstName(nome));
        return (
          <MessageCard
            key={id}
            name={nome}
            fact={opened.has(id) ? 'Aberta' : ''}
            text={said}
            link={phone && whatsAppAddress(phone, said)}
            onOpen={() => setOpened(new Set(opened).add(id))}
          />
        );
      })}
      {shown < students.length && (
        <Button variant="subtle" onClick={() => setShown(shown + AT_ONCE)}>
          Mostrar mais ({students.length - shown})
        </Button>
      )}
    </div>
  );
}
