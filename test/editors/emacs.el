;;; emacs.el --- What the tests do in Emacs -*- lexical-binding: t -*-

;; Commands that a user has, and what is then to be seen.

;; Where Debian's packages are, which -Q leaves out.
(let ((default-directory "/usr/share/emacs/site-lisp/elpa-src/"))
  (when (file-directory-p default-directory) (normal-top-level-add-subdirs-to-load-path)))
(require 'yaml-mode)
(setq eglot-confirm-server-edits nil
      eglot-sync-connect 30
      make-backup-files nil
      create-lockfiles nil)
(setq-default eglot-workspace-configuration '(:kubeCrd (:costHintThreshold 0)))

(defvar asked-card "")

(defun asked-open (file)
  (switch-to-buffer (find-file-noselect file))
  (unless (eglot-managed-p) (call-interactively #'eglot))
  nil)

(defun asked-cursor (line column)
  (goto-char (point-min))
  (forward-line (1- line))
  (move-to-column (1- column))
  nil)

(defun asked-text () (buffer-substring-no-properties (point-min) (point-max)))

(defun asked-problems ()
  (vconcat (mapcar #'flymake-diagnostic-text (flymake-diagnostics))))

(defun asked-hover ()
  (setq asked-card "")
  (eglot-hover-eldoc-function (lambda (card &rest _) (setq asked-card card)))
  nil)

(defun asked-card () (substring-no-properties asked-card))

(defun asked-apply (title)
  (let ((action (seq-find (lambda (one) (equal (plist-get one :title) title))
                          (eglot-code-actions (point) (point)))))
    (eglot-execute (eglot-current-server) action)
    nil))

(defun asked-rename (name) (eglot-rename name) nil)

(defun asked-complete () (end-of-line) (newline) (insert "  ") nil)

(defun asked-offered ()
  (let ((found (eglot-completion-at-point)))
    (vconcat (mapcar #'substring-no-properties
                     (all-completions (buffer-substring (nth 0 found) (nth 1 found)) (nth 2 found))))))

(defun asked-leave () nil)

(defun asked-show_hints ()
  (eglot-inlay-hints-mode 1)
  ;; A window asks for the hints of what it shows; there is none here.
  (eglot--update-hints-1 (point-min) (point-max))
  nil)

(defun asked-hints ()
  (vconcat (mapcar (lambda (overlay)
                     (substring-no-properties (or (overlay-get overlay 'before-string)
                                                  (overlay-get overlay 'after-string))))
                   (seq-filter (lambda (overlay) (overlay-get overlay 'eglot--inlay-hint))
                               (overlays-in (point-min) (point-max))))))

(defun asked-replace (from to)
  (goto-char (point-min))
  (search-forward from)
  (replace-match to t t)
  nil)

(defun asked (name arguments)
  "Call a function by NAME with ARGUMENTS in the buffer that is shown; the result as JSON."
  (with-current-buffer (window-buffer)
    (decode-coding-string (json-serialize (apply (intern (concat "asked-" name)) arguments) :null-object nil) 'utf-8)))
;;; emacs.el ends here
