import { Toast } from '@base-ui/react/toast'
import { buttonClass } from '../button-class.ts'
import { Icon } from '../icon.tsx'
import { toasts } from './notify.ts'
import css from './toast.module.css'

/** The place at the bottom of the page where messages appear. */
export function Toasts() {
  return (
    <Toast.Provider toastManager={toasts} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className={css['viewport']}>
          <Messages />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Messages() {
  const { toasts: shown } = Toast.useToastManager()
  return shown.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={css['toast']}>
      <Toast.Content className={css['content']}>
        <Toast.Title className={css['title']} />
        <Toast.Close
          className={buttonClass({ variant: 'ghost', size: 'small', square: true })}
          aria-label="Close the message"
        >
          <Icon name="cross" size={14} />
        </Toast.Close>
        <Toast.Description className={css['description']} />
      </Toast.Content>
    </Toast.Root>
  ))
}
