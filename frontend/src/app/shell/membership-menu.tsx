import { Button, Menu, VisuallyHidden } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { plural } from '../../../../backend/platform/plural.api.js';
import { noticesOf, useUnreadElsewhere } from '../../features/notifications/notifications.queries.js';
import { CountBadge } from '../../ui/count-badge.js';
import { Icon } from '../../ui/icon.js';
import { idOf, useSignedIn, titleOf } from '../../lib/me.js';
import { useMembershipChoice } from '../use-membership-choice.js';
import classes from './membership-menu.module.css';

/** For a user with several memberships: the current one, and a menu to switch. */
export default function MembershipMenu() {
  const { memberships, membership } = useSignedIn();
  const choose = useMembershipChoice();
  const unreadOf = useUnreadElsewhere();
  const title = titleOf(membership, memberships);
  const elsewhere = memberships.reduce((sum, each) => sum + unreadOf(each), 0);
  return (
    <Menu position="bottom-end" radius="md" shadow="md">
      <Menu.Target>
        <Button
          variant="default"
          className={classes.button}
          classNames={{ label: classes.title, section: classes.marks }}
          aria-label={`Trocar de conta: ${title}${elsewhere > 0 ? `, ${unread(elsewhere)} em outra` : ''}`}
          rightSection={
            <>
              {elsewhere > 0 && <CountBadge of={elsewhere} />}
              <Icon name="down" size={18} />
            </>
          }
        >
          {title}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {memberships.map((each) => (
          <Menu.Item
            key={idOf(each)}
            aria-current={idOf(each) === idOf(membership) || undefined}
            onClick={() => choose(each, unreadOf(each) > 0 ? noticesOf(each.role) : undefined)}
            rightSection={
              idOf(each) === idOf(membership) ? (
                <Icon name="check" size={18} />
              ) : (
                unreadOf(each) > 0 && (
                  <>
                    <CountBadge of={unreadOf(each)} />
                    <VisuallyHidden component="span">{unread(unreadOf(each))}</VisuallyHidden>
                  </>
                )
              )
            }
          >
            {titleOf(each, memberships)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const unread = (total: number) => plural(total, 'notificação não lida', 'notificações não lidas');
