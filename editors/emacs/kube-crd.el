;;; kube-crd.el --- Kubernetes CRDs and custom resources in Eglot -*- lexical-binding: t -*-

;; Emacs 29 or newer, which have Eglot built in.  In init.el:
;;
;;   (load "/path/to/kube-crd.el")
;;   (add-hook 'yaml-mode-hook #'eglot-ensure)     ; or yaml-ts-mode-hook
;;
;; Settings belong to a project, in its .dir-locals.el:
;;
;;   ((nil . ((eglot-workspace-configuration . (:kubeCrd (:kubernetesVersion "1.36"))))))

;;; Code:

(require 'eglot)

;; Eglot asks one server about a buffer, and the first entry that fits is the one that it starts.
(add-to-list 'eglot-server-programs
             '((yaml-mode yaml-ts-mode) . ("kube-crd" "server" "--stdio")))

(provide 'kube-crd)
;;; kube-crd.el ends here
