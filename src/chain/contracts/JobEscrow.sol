// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Multicall} from "@openzeppelin/contracts/utils/Multicall.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {HirePayment} from "./HirePayment.sol";

/// @title Job escrow according to ERC-8183 (Agentic Commerce), without hooks
/// @notice Holds the budget of a job until its evaluator completes or rejects it, or until it expires.
/// @dev One token, one fee, one treasury, all fixed at deployment. The contract cannot be paused or upgraded, and has
/// no function that takes the money of a job.
///
/// Choices where ERC-8183 leaves room:
/// - Only a zero hook is accepted; the optional bytes of each call are ignored.
/// - Anyone may call `claimRefund`. For a submitted job it succeeds from `max(expiredAt, submittedAt + EVALUATION_GRACE)`,
///   so that work submitted just before expiry can still be judged. Submissions are refused from `expiredAt` on, so every
///   job is refundable at the latest at `expiredAt + EVALUATION_GRACE`, whatever provider and evaluator do.
/// - An evaluator may still complete or reject after expiry, until the refund is claimed.
/// - The description is emitted in an event only; `getJob` returns an empty one.
/// - When the token refuses to pay the treasury, the provider is still paid. The fee stays here until `withdrawFees` succeeds.
/// - `completeUsed` is added for prices by use. It pays a part of the budget and returns the rest in the same transaction. When
///   the token refuses the client, the provider is still paid, and the rest stays here until `withdrawReturn` succeeds.
///
/// Tokens with a fee on transfer are refused at funding. Rebasing tokens must not be used.
contract JobEscrow is HirePayment, Multicall, ReentrancyGuardTransient {
    using Math for uint256;
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    /// @dev Two storage slots a job. Evaluators serve many jobs, so a job has the number of its evaluator; 0 is `mainEvaluator`, and
    /// `UNNUMBERED` one that is stored with the job. Times fit until 2106.
    struct Escrow {
        address client;
        uint32 expiredAt;
        uint32 submittedAt;
        JobStatus status;
        uint24 evaluatorId;
        address provider;
        uint96 budget;
    }

    uint256 public constant MAX_FEE_BPS = 1_000;
    uint256 public constant MIN_LIFETIME = 5 minutes;
    uint256 public constant MAX_LIFETIME = 365 days;
    uint256 public constant EVALUATION_GRACE = 1 hours;
    uint256 private constant ALL_BPS = 10_000;
    uint24 private constant UNNUMBERED = type(uint24).max;

    address public immutable treasury;
    /// @notice Fee of the treasury on completion, in basis points of the budget.
    uint16 public immutable feeBps;
    /// @notice The evaluator that most jobs name, which needs no storage. May be zero. Any other evaluator can be named too.
    address public immutable mainEvaluator;

    /// @notice Number of jobs created; ids run from 1 to this number.
    uint104 public jobCount;
    /// @dev Evaluators that have a number. When all numbers are taken, a new evaluator costs its job a storage slot.
    uint24 private _evaluatorCount;
    /// @notice Fees that could not be paid to the treasury. They are held in addition to the escrowed budgets.
    uint256 public unpaidFees;
    /// @notice Unused parts that could not be returned to their clients. They are held in addition to the escrowed budgets.
    mapping(address client => uint256) public unpaidReturns;

    mapping(uint256 jobId => Escrow) private _jobs;
    /// @dev Numbers from 1, in both directions.
    mapping(uint256 evaluatorId => address) private _evaluators;
    mapping(address evaluator => uint24) private _evaluatorIds;
    mapping(uint256 jobId => address) private _unnumberedEvaluators;

    constructor(IERC20 token, address treasury_, uint16 feeBps_, address mainEvaluator_) HirePayment(token) {
        require(treasury_ != address(0) && treasury_ != address(this), BadTreasury(treasury_));
        require(feeBps_ <= MAX_FEE_BPS, FeeTooHigh(feeBps_));
        treasury = treasury_;
        feeBps = feeBps_;
        mainEvaluator = mainEvaluator_;
    }

    // ------------------------------------------------------------------ agreement

    /// @notice Creates an open job with the caller as client. `provider` may be zero and set later.
    function createJob(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata description,
        address hook
    ) external nonReentrant returns (uint256 jobId) {
        require(hook == address(0), HookUnsupported(hook));
        jobId = _create(HireTerms(msg.sender, provider, evaluator, expiredAt, description, 0, 0), JobStatus.Open);
    }

    /// @notice Sets the provider of an open job that has none. Callable by the client.
    function setProvider(uint256 jobId, address provider, bytes calldata) external nonReentrant {
        Escrow storage job = _jobIn(jobId, JobStatus.Open);
        require(msg.sender == job.client, Unauthorized(msg.sender));
        require(job.provider == address(0), ProviderAlreadySet(jobId));
        require(provider != address(0), ProviderMissing());
        require(provider != _evaluatorOf(jobId, job), ProviderIsEvaluator());
        job.provider = provider;
        emit ProviderSet(jobId, provider);
    }

    /// @notice Sets the price of an open job. Callable by the client or the provider.
    function setBudget(uint256 jobId, uint256 amount, bytes calldata) external nonReentrant {
        Escrow storage job = _jobIn(jobId, JobStatus.Open);
        require(msg.sender == job.client || msg.sender == job.provider, Unauthorized(msg.sender));
        job.budget = amount.toUint96();
        emit BudgetSet(jobId, amount);
    }

    // ------------------------------------------------------------------ funding

    /// @notice Transfers the budget from the client by allowance. `expectedBudget` guards against a concurrent price change.
    function fund(uint256 jobId, uint256 expectedBudget, bytes calldata) external nonReentrant {
        Escrow storage job = _jobIn(jobId, JobStatus.Open);
        uint256 budget = job.budget;
        require(msg.sender == job.client, Unauthorized(msg.sender));
        require(job.provider != address(0), ProviderMissing());
        require(budget == expectedBudget, BudgetMismatch(budget, expectedBudget));
        require(budget > 0, BudgetMissing());
        require(block.timestamp < job.expiredAt, PastExpiry(jobId));
        job.status = JobStatus.Funded;
        _countFunded(jobId, msg.sender, budget);
        _payByAllowance(msg.sender, budget);
    }

    /// @notice Creates, prices and funds a job in one transaction, by allowance. The caller is the client.
    function createAndFund(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata description,
        uint256 budget
    ) external nonReentrant returns (uint256 jobId) {
        jobId = _createFunded(HireTerms(msg.sender, provider, evaluator, expiredAt, description, budget, 0));
        _payByAllowance(msg.sender, budget);
    }

    /// @notice Creates, prices and funds a job of `terms.client` with a signed EIP-3009 ReceiveWithAuthorization
    /// (to this contract, value `terms.budget`, validAfter 0, nonce `hireNonce(terms)`). Callable by anyone: the nonce
    /// binds the signature to the terms, and the token accepts each nonce once.
    function createAndFundWithAuthorization(
        HireTerms calldata terms,
        uint256 validBefore,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external nonReentrant returns (uint256 jobId) {
        jobId = _createFunded(terms);
        _payByAuthorization(terms, validBefore, v, r, s);
    }

    /// @notice Creates, prices and funds a job of `terms.client` with a signed Permit2 transfer (to this contract, of
    /// `terms.budget`, nonce `terms.salt`, witness `terms`). Callable by anyone: the client signed all terms.
    function createAndFundWithPermit2(
        HireTerms calldata terms,
        uint256 deadline,
        bytes calldata signature
    ) external nonReentrant returns (uint256 jobId) {
        jobId = _createFunded(terms);
        _payByPermit(terms, deadline, signature);
    }

    // ------------------------------------------------------------------ submission and evaluation

    /// @notice Submits the hash of the deliverable. Callable by the provider, before expiry.
    function submit(uint256 jobId, bytes32 deliverable, bytes calldata) external nonReentrant {
        Escrow storage job = _jobIn(jobId, JobStatus.Funded);
        require(msg.sender == job.provider, Unauthorized(msg.sender));
        require(block.timestamp < job.expiredAt, PastExpiry(jobId));
        job.status = JobStatus.Submitted;
        job.submittedAt = uint32(block.timestamp);
        emit JobSubmitted(jobId, msg.sender, deliverable);
    }

    /// @notice Pays the provider the budget minus the fee. Callable by the evaluator.
    function complete(uint256 jobId, bytes32 reason, bytes calldata) external nonReentrant {
        Escrow storage job = _jobIn(jobId, JobStatus.Submitted);
        require(msg.sender == _evaluatorOf(jobId, job), Unauthorized(msg.sender));
        (address provider, uint256 budget) = (job.provider, job.budget);
        uint256 fee = (budget * feeBps) / ALL_BPS;
        job.status = JobStatus.Completed;
        emit JobCompleted(jobId, msg.sender, reason);
        emit PaymentReleased(jobId, provider, budget - fee);
        paymentToken.safeTransfer(provider, budget - fee);
        if (fee > 0 && !paymentToken.trySafeTransfer(treasury, fee)) {
            unpaidFees += fee;
            emit FeeUnpaid(jobId, fee);
        }
    }

    /// @notice Pays the provider `used` minus the fee, and returns the rest of the budget to the client. Callable by the evaluator.
    function completeUsed(uint256 jobId, uint256 used, bytes32 reason) external nonReentrant {
        Escrow storage job = _jobIn(jobId, JobStatus.Submitted);
        require(msg.sender == _evaluatorOf(jobId, job), Unauthorized(msg.sender));
        (address client, address provider, uint256 budget) = (job.client, job.provider, job.budget);
        require(used <= budget, UsedAboveBudget(used, budget));
        (uint256 fee, uint256 unused) = ((used * feeBps) / ALL_BPS, budget - used);
        job.status = JobStatus.Completed;
        emit JobCompleted(jobId, msg.sender, reason);
        emit PaymentReleased(jobId, provider, used - fee);
        emit UnusedReturned(jobId, client, unused);
        if (used > 0) paymentToken.safeTransfer(provider, used - fee);
        if (fee > 0 && !paymentToken.trySafeTransfer(treasury, fee)) {
            unpaidFees += fee;
            emit FeeUnpaid(jobId, fee);
        }
        if (unused > 0 && !paymentToken.trySafeTransfer(client, unused)) {
            unpaidReturns[client] += unused;
            emit ReturnUnpaid(jobId, client, unused);
        }
    }

    /// @notice Pays a client the unused parts that the token refused to transfer before. Callable by anyone.
    function withdrawReturn(address client) external nonReentrant {
        uint256 amount = unpaidReturns[client];
        unpaidReturns[client] = 0;
        emit ReturnWithdrawn(client, amount);
        paymentToken.safeTransfer(client, amount);
    }

    /// @notice Pays the treasury the fees that the token refused to transfer before. Callable by anyone.
    function withdrawFees() external nonReentrant {
        uint256 amount = unpaidFees;
        unpaidFees = 0;
        emit FeesWithdrawn(amount);
        paymentToken.safeTransfer(treasury, amount);
    }

    /// @notice Closes an open job (client), or refunds a funded or submitted one (evaluator).
    function reject(uint256 jobId, bytes32 reason, bytes calldata) external nonReentrant {
        Escrow storage job = _job(jobId);
        JobStatus status = job.status;
        require(status <= JobStatus.Submitted, WrongStatus(jobId, status));
        bool isOpen = status == JobStatus.Open;
        require(msg.sender == (isOpen ? job.client : _evaluatorOf(jobId, job)), Unauthorized(msg.sender));
        job.status = JobStatus.Rejected;
        emit JobRejected(jobId, msg.sender, reason);
        if (!isOpen) _refund(jobId, job);
    }

    /// @notice Refunds an expired job to its client. Callable by anyone.
    function claimRefund(uint256 jobId) external nonReentrant {
        uint256 from = refundableAt(jobId);
        require(block.timestamp >= from, NotRefundableYet(jobId, from));
        Escrow storage job = _jobs[jobId];
        job.status = JobStatus.Expired;
        emit JobExpired(jobId);
        _refund(jobId, job);
    }

    // ------------------------------------------------------------------ views

    function getJob(uint256 jobId) external view returns (Job memory) {
        Escrow storage job = _job(jobId);
        return
            Job({
                id: jobId,
                client: job.client,
                provider: job.provider,
                evaluator: _evaluatorOf(jobId, job),
                description: "",
                budget: job.budget,
                expiredAt: job.expiredAt,
                status: job.status,
                hook: address(0),
                submittedAt: job.submittedAt
            });
    }

    /// @notice Time from which `claimRefund` succeeds, in epoch seconds. Reverts for jobs that hold no money.
    function refundableAt(uint256 jobId) public view returns (uint256) {
        Escrow storage job = _job(jobId);
        (JobStatus status, uint256 expiredAt) = (job.status, job.expiredAt);
        if (status == JobStatus.Funded) return expiredAt;
        require(status == JobStatus.Submitted, WrongStatus(jobId, status));
        return Math.max(expiredAt, job.submittedAt + EVALUATION_GRACE);
    }

    // ------------------------------------------------------------------ internal

    function _createFunded(HireTerms memory terms) private returns (uint256 jobId) {
        require(terms.provider != address(0), ProviderMissing());
        require(terms.budget > 0, BudgetMissing());
        jobId = _create(terms, JobStatus.Funded);
        emit BudgetSet(jobId, terms.budget);
        _countFunded(jobId, terms.client, terms.budget);
    }

    function _create(HireTerms memory terms, JobStatus status) private returns (uint256 jobId) {
        require(terms.evaluator != address(0), EvaluatorMissing());
        require(terms.provider != terms.evaluator, ProviderIsEvaluator());
        uint256 lifetime = terms.expiredAt.saturatingSub(block.timestamp);
        require(lifetime > MIN_LIFETIME && lifetime <= MAX_LIFETIME, ExpiryOutOfRange(terms.expiredAt));
        jobId = ++jobCount;
        _jobs[jobId] = Escrow({
            client: terms.client,
            expiredAt: terms.expiredAt.toUint32(),
            submittedAt: 0,
            status: status,
            evaluatorId: _evaluatorId(jobId, terms.evaluator),
            provider: terms.provider,
            budget: terms.budget.toUint96()
        });
        emit JobCreated(jobId, terms.client, terms.provider, terms.evaluator, terms.expiredAt);
        emit JobDescribed(jobId, terms.description);
    }

    function _evaluatorOf(uint256 jobId, Escrow storage job) private view returns (address) {
        uint24 id = job.evaluatorId;
        if (id == 0) return mainEvaluator;
        return id == UNNUMBERED ? _unnumberedEvaluators[jobId] : _evaluators[id];
    }

    function _evaluatorId(uint256 jobId, address evaluator) private returns (uint24 id) {
        if (evaluator == mainEvaluator) return 0;
        id = _evaluatorIds[evaluator];
        if (id > 0) return id;
        id = _evaluatorCount + 1;
        if (id == UNNUMBERED) {
            _unnumberedEvaluators[jobId] = evaluator;
            return id;
        }
        _evaluatorCount = id;
        _evaluatorIds[evaluator] = id;
        _evaluators[id] = evaluator;
    }

    function _countFunded(uint256 jobId, address client, uint256 budget) private {
        emit JobFunded(jobId, client, budget);
    }

    function _refund(uint256 jobId, Escrow storage job) private {
        (address client, uint256 budget) = (job.client, job.budget);
        emit Refunded(jobId, client, budget);
        paymentToken.safeTransfer(client, budget);
    }

    function _job(uint256 jobId) private view returns (Escrow storage job) {
        job = _jobs[jobId];
        require(job.client != address(0), JobNotFound(jobId));
    }

    function _jobIn(uint256 jobId, JobStatus status) private view returns (Escrow storage job) {
        job = _job(jobId);
        require(job.status == status, WrongStatus(jobId, job.status));
    }
}
